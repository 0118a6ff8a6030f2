/** A request to a real server and what it answered. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly status: number;
  /** `undefined` for HEAD. */
  readonly answer?: string;
}

/** Reads the exchanges of a file in `recordings/`, in order. */
export async function readRecording(name: string): Promise<readonly Exchange[]> {
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
    const end = lines.findIndex((line) => /^<- \d+/.test(line));
    const status = Number(/^<- (\d+)/.exec(lines[end] ?? "")?.[1]);
    const answer = lines.slice(0, end).join("\n").trimEnd();
    return [{ method, path, ...(body !== undefined && { body }), status, answer }];
  });
}
