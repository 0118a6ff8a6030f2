import { joined } from "../../runtime/web.ts";
import { BindingError, plainFileName } from "../../web/mod.ts";

/** The header of a part, as far as RFC 7578, 4.8 knows it. Its length does not tell where it ends. */
export class PartHead {
  name = "";
  filename?: string;
  /** As it was sent (RFC 7578, 4.4). */
  type = "text/plain";
  #line: Uint8Array[] = [];
  #total = 0;
  #isNamed = false;
  #isTyped = false;

  /** @throws {BindingError} 400 when the header is too long */
  add(bytes: Uint8Array): void {
    this.#total += bytes.length;
    if (this.#total > MAX_BYTES) {
      throw malformed(`the header of a part has more than ${MAX_BYTES} bytes`);
    }
    this.#line.push(bytes);
  }

  /** A line feed was added. @throws {BindingError} 400 */
  endLine(): boolean {
    const line = joined(this.#line);
    const end = line.length - 2;
    if (line[end] !== CARRIAGE_RETURN) throw malformed(LINE);
    this.#line = [];
    if (end > 0) {
      this.#read(decoded(line.subarray(0, end), "the header of a part"));
      return false;
    }
    if (!this.#isNamed) throw malformed("a part has no name");
    return true;
  }

  #read(line: string): void {
    // deno-lint-ignore no-control-regex -- RFC 9110, 5.5 has none of them in values
    const field = /^([!#$%&'*+.^`|~\w-]+):([^\0-\x08\x0a-\x1f\x7f]*)$/.exec(line);
    if (field === null) throw malformed(LINE);
    const [, name = "", text = ""] = field;
    const value = text.trim();
    switch (name.toLowerCase()) {
      case "content-disposition":
        if (this.#isNamed) throw malformed("a part has two names");
        this.#isNamed = true;
        return this.#dispose(value);
      case "content-type":
        if (this.#isTyped) throw malformed("a part has two types");
        this.#isTyped = true;
        if (value !== "") this.type = value;
        return;
      case "content-transfer-encoding":
        // RFC 7578, 4.7: deprecated. What is sent as it is needs no decoding.
        if (!/^(?:7bit|8bit|binary)$/i.test(value)) throw malformed("a part is encoded");
    }
  }

  #dispose(value: string): void {
    const parameters = parametersOf(value);
    const name = parameters.get("name");
    if (name === undefined) throw malformed("a part has no name");
    this.name = name;
    const filename = parameters.get("filename");
    if (filename !== undefined) this.filename = plainFileName(filename);
  }
}

const MAX_BYTES = 8192;
const LINE = "the header of a part has a line that is no 'name: value'";
const CARRIAGE_RETURN = 0x0d;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

export function decoded(bytes: Uint8Array, what: string): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw malformed(`${what} is not UTF-8`, cause);
  }
}

/** The parameters of a `Content-Disposition`. Those with a star must not be sent, and say nothing (RFC 7578, 4.2). */
function parametersOf(value: string): ReadonlyMap<string, string> {
  const type = /^form-data(?=\s*(?:;|$))/i.exec(value);
  if (type === null) throw malformed("a part is no 'form-data'");
  const parameter = /\s*;\s*([!#$%&'*+.^`|~\w-]+)=(?:"((?:[^"\\]|\\[^])*)"|([^\s;"]*))\s*/y;
  parameter.lastIndex = type[0].length;
  const found = new Map<string, string>();
  while (parameter.lastIndex < value.length) {
    const match = parameter.exec(value);
    if (match === null) throw malformed("the 'Content-Disposition' of a part cannot be read");
    const [, name = "", quoted, token = ""] = match;
    if (found.has(name.toLowerCase())) throw malformed("a part has two names");
    found.set(name.toLowerCase(), quoted === undefined ? token : unescapeHeader(quoted));
  }
  return found;
}

/** Browsers write three characters as `%22`, `%0D` and `%0A` (HTML, 4.10.22.8), others a backslash before two. */
function unescapeHeader(text: string): string {
  return text.replace(/\\(["\\])|%(22|0D|0A)/gi, (_, escaped, code) => {
    return escaped ?? String.fromCharCode(parseInt(code, 16));
  });
}

export function malformed(reason: string, cause?: unknown): BindingError {
  const message = `The request body is not a well-formed form: ${reason}`;
  return new BindingError(400, message, [{ pointer: "", message }], { cause });
}
