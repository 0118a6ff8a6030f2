/** A request to a real server and what it answered. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly status: number;
  /** `undefined` for HEAD. */
  readonly answer?: string;
}

/**
 * Reads the exchanges of a file in `recordings/`, in order.
 *
 * @param version takes the answers that the file marks as those of this version, where they differ
 */
export async function readRecording(name: string, version?: string): Promise<readonly Exchange[]> {
  const text = await Deno.readTextFile(new URL(`recordings/${name}`, import.meta.url));
  return text.split(/^### /m).slice(1).flatMap((section): Exchange[] => {
    const [first = "", ...lines] = section.trimEnd().split("\n");
    const [, method, path] = /^(GET|HEAD|PUT|POST|DELETE|PATCH) (\/\S*)$/.exec(first) ?? [];
    if (!method || !path) return [];
    const body = lines[0]?.startsWith("> ")
      ? lines.shift()!.slice(2).replaceAll("\\n", "\n")
      : undefined;
    const head = /^HTTP\/1\.1 (\d+)/.exec(lines[0] ?? "");
    if (head) return [{ method, path, status: Number(head[1]) }];
    const marked = lines.flatMap((line) =>
      version && line.startsWith(`# ${version}: `) ? [line.slice(version.length + 4)] : []
    );
    return [{ method, path, ...(body !== undefined && { body }), ...answered(marked, lines) }];
  });
}

function answered(marked: readonly string[], lines: readonly string[]) {
  const chosen = marked.length > 0 ? marked : lines;
  const end = chosen.findIndex((line) => /^<- \d+/.test(line));
  const status = Number(/^<- (\d+)/.exec(chosen[end] ?? "")?.[1]);
  return { status, answer: chosen.slice(0, end).join("\n").trimEnd() };
}
