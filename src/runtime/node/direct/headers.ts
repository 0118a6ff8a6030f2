import type { IncomingMessage } from "node:http";
import { TOKEN } from "../../../text/mod.ts";
import { standIn } from "./stand_in.ts";

export class NodeHeaders {
  readonly #raw: readonly string[];
  #all?: Headers;

  constructor({ rawHeaders }: IncomingMessage) {
    this.#raw = rawHeaders;
  }

  /** As `Headers` has it: the values of a field that came more than once are one (Fetch, 2.2.2). */
  get(name: string): string | null {
    if (this.#all !== undefined) return this.#all.get(name);
    const raw = this.#raw;
    const wanted = name.toLowerCase();
    let found: string | null = null;
    for (let index = 0; index < raw.length; index += 2) {
      const key = raw[index] as string;
      if (key.length !== wanted.length || key.toLowerCase() !== wanted) continue;
      const value = withoutBlanks(raw[index + 1] as string);
      found = found === null ? value : `${found}${wanted === "cookie" ? "; " : ", "}${value}`;
    }
    // An invalid name throws, as `Headers` does.
    return found === null && !TOKEN.test(name) ? this.all.get(name) : found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  get all(): Headers {
    if (this.#all !== undefined) return this.#all;
    const raw = this.#raw;
    const all = new Headers();
    for (let index = 0; index < raw.length; index += 2) {
      all.append(raw[index] as string, raw[index + 1] as string);
    }
    return this.#all = all;
  }
}

/** Not while modules are loaded: Node takes long to make its `Headers`, which few commands need. */
export function standForHeaders(): void {
  standIn(NodeHeaders, Headers, ({ all }) => all);
}

/** Blanks around a value do not belong to it (RFC 9110, 5.5). */
function withoutBlanks(value: string): string {
  return value.charCodeAt(0) <= SPACE || value.charCodeAt(value.length - 1) <= SPACE
    ? value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "")
    : value;
}

const SPACE = 0x20;
