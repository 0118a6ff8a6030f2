import { type StructuredPatch, structuredPatch, type StructuredPatchHunk } from "diff";

const CONTEXT = 3;
/** Above as many differences texts are no longer compared line by line. */
const MOST = 1000;

/** The lines that `diff -u` prints for two texts, without its head; nothing where they are equal. */
export async function differingLines(before: string, after: string): Promise<readonly string[]> {
  // A last line counts as one whether it is ended or not.
  const [old, now] = [before, after].map((text) => text.replace(/[^\n]$/, "$&\n")) as [
    string,
    string,
  ];
  if (old === now) return [];
  const patch = await new Promise<StructuredPatch | undefined>((callback) => {
    const options = { context: CONTEXT, maxEditLength: MOST, callback };
    structuredPatch("", "", old, now, "", "", options);
  });
  const hunks = patch?.hunks ?? [replaced(old, now)];
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => {
    return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines];
  });
}

function replaced(before: string, after: string): StructuredPatchHunk {
  const old = before.split("\n").slice(0, -1).map((line) => `-${line}`);
  const now = after.split("\n").slice(0, -1).map((line) => `+${line}`);
  const sizes = { oldLines: old.length, newLines: now.length };
  return { oldStart: 1, newStart: 1, ...sizes, lines: [...old, ...now] };
}
