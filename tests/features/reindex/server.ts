/** The response with its text, because `JSON.parse` loses digits and the order of members. */
export interface Said {
  readonly status: number;
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- answers of many kinds, read by tests
  readonly json: any;
}

/** Asks a cluster, past whatever stands in front of it; a text is sent as it is. */
export interface Server {
  readonly url: string;
  send(method: string, path: string, body?: unknown): Promise<Said>;
  /** The same, where anything but success ends the test. */
  must(method: string, path: string, body?: unknown): Promise<Said>;
}

/** How often a cluster that has too much to do is asked again, and after how long. */
const TOO_MUCH = { times: 300, afterMs: 100 };

/**
 * Applications ask a cluster again that has too much to do, and so does this.
 *
 * @param url without a slash at the end
 */
export function serverAt(url: string): Server {
  const send = async (method: string, path: string, body?: unknown): Promise<Said> => {
    for (let time = 1;; time++) {
      const said = await sendOnce(method, path, body);
      if (!isTooMuch(said) || time > TOO_MUCH.times) return said;
      await new Promise((resolve) => setTimeout(resolve, TOO_MUCH.afterMs));
    }
  };
  const sendOnce = async (method: string, path: string, body?: unknown): Promise<Said> => {
    const response = await fetch(url + path, {
      method,
      headers: { "Content-Type": "application/json" },
      signal: AbortSignal.timeout(60_000),
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : text };
  };
  return {
    url,
    send,
    must: async (method, path, body) => {
      const said = await send(method, path, body);
      if (said.status < 300) return said;
      throw new Error(`${method} ${path}: ${said.status} ${said.text.slice(0, 300)}`);
    },
  };
}

/** Whether the cluster has too much to do, which it says in the midst of a search too. */
function isTooMuch({ status, text }: Said): boolean {
  return status === 429 || status >= 500 && text.includes("Data too large");
}

/** The texts of the `_source`s in an answer, in order, and the answer without them. */
export function cutSources(text: string): { sources: string[]; rest: string } {
  const sources: string[] = [];
  let rest = "";
  let from = 0;
  const mark = '"_source":';
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, from)) {
    const start = at + mark.length;
    const end = endOfObject(text, start);
    sources.push(text.slice(start, end));
    rest += `${text.slice(from, start)}null`;
    from = end;
  }
  return { sources, rest: rest + text.slice(from) };
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (letter === "{" || letter === "[") depth++;
    else if ((letter === "}" || letter === "]") && --depth === 0) return at + 1;
  }
  throw new Error(`a source does not end: ${text.slice(start, start + 100)}`);
}
