import { type StructuredPatch, structuredPatch } from "diff";

const CONTEXT = 3;
/** Above as many differences texts are no longer compared line by line. */
const MOST = 1000;

/** What `diff -u` prints of two texts, without its head; nothing where they are equal. */
export async function differingLines(before: string, after: string): Promise<readonly string[]> {
  const [old, now] = [before, after].map(withFinalLineEnd) as [string, string];
  if (old === now) return [];
  const patch = await new Promise<StructuredPatch | undefined>((callback) => {
    const options = { context: CONTEXT, maxEditLength: MOST, callback };
    structuredPatch("", "", old, now, "", "", options);
  });
  if (patch === undefined) return replaced(old, now);
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => {
    return [headOf([oldStart, oldLines], [newStart, newLines]), ...lines];
  });
}

/** A last line counts as one whether it is ended or not. */
function withFinalLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function replaced(before: string, after: string): readonly string[] {
  const [old, now] = [before, after].map((text) => text.split("\n").slice(0, -1)) as [
    string[],
    string[],
  ];
  const signed = (sign: string, lines: readonly string[]) => lines.map((line) => sign + line);
  return [headOf([1, old.length], [1, now.length]), ...signed("-", old), ...signed("+", now)];
}

function headOf(before: readonly [number, number], after: readonly [number, number]): string {
  return `@@ -${before.join(",")} +${after.join(",")} @@`;
}
