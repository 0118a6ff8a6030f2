import { nearest, printable } from "../../../text/mod.ts";
import { type FileProblem, InvalidFilesError, type LoadedFile } from "../../runner/mod.ts";
import { type JsonMember, jsonOf, jsonProblem, type JsonValue } from "../json/json.ts";
import { withoutSecretValues } from "../json/secret_members.ts";
import { filledText, type Placeholders } from "./placeholders.ts";

/** A file that holds one JSON object (RFC 8259): no comments, no trailing commas, at most 1,000 levels. */
export class JsonFile {
  /** The text that is sent, with the values of placeholders. */
  readonly text: string;
  readonly members: readonly JsonMember[];
  #originOf = (offset: number) => offset;

  /** @param source the text in the file @throws {InvalidFilesError} for anything else, and for a key that occurs twice */
  constructor(readonly path: string, readonly source: string, placeholders: Placeholders = {}) {
    const filled = filledText(source, placeholders);
    if ("message" in filled) this.refuse(filled.offset, filled.message);
    this.text = filled.text;
    this.#originOf = filled.originOf;
    const problem = jsonProblem(this.text);
    if (problem) this.refuse(problem.offset, problem.message);
    const json = jsonOf(this.text);
    if (json.kind !== "object") {
      this.refuse(json.offset, `Expected a JSON object, found ${article(json.kind)}`);
    }
    this.members = json.members;
    const names = this.members.map(({ name }) => name);
    const again = names.findIndex((name, index) => names.indexOf(name) < index);
    if (again !== -1) {
      const message = `The key '${names[again]}' occurs twice, so it is unclear which one counts`;
      this.refuse(this.members[again]!.offset, message);
    }
  }

  refuseIf(problem: string | undefined, offset = 0): void {
    if (problem !== undefined) this.refuse(offset, problem);
  }

  refuse(offset: number, message: string): never {
    throw new InvalidFilesError([this.problem("error", offset, message)]);
  }

  /** Names line and column of an offset in the file itself, and shows the line without secrets. */
  problem(severity: FileProblem["severity"], offset: number, message: string): FileProblem {
    const { path, source: text } = this;
    const at = this.#originOf(offset);
    const before = text.slice(0, at).split(LINE_BREAK);
    const line = before.length;
    const column = before.at(-1)!.length + 1;
    const whole = text.split(LINE_BREAK, line)[line - 1] ?? "";
    const source = withoutSecretValues(whole, text.slice(0, at - column + 1));
    return { severity, path, message, line, column, source };
  }

  /** Refuses the file at the place of a member that may be meant. @throws {InvalidFilesError} */
  refuseWithout({ expected, message }: MissingMembers): never {
    const keys = Object.values(expected).flat();
    for (const { name, offset, value } of this.members) {
      const fitting = expected[value.kind] ?? [];
      if (fitting.includes(name)) continue;
      if (keys.includes(name)) this.refuse(value.offset, message);
      const [near] = nearest(name, fitting);
      if (near !== undefined) this.refuse(offset, misspeltKey(name, near));
    }
    this.refuse(0, message);
  }
}

const LINE_BREAK = /\r\n|\r|\n/;

/** The members of which a file needs at least one, and has none. */
export interface MissingMembers {
  readonly expected: Readonly<Partial<Record<JsonValue["kind"], readonly string[]>>>;
  readonly message: string;
}

export function misspeltKey(name: string, meant: string): string {
  return `Unknown key '${printable(name)}': did you mean '${meant}'?`;
}

function article(type: string): string {
  return type === "array" ? "an array" : type === "null" ? "null" : `a ${type}`;
}

/** @throws {InvalidFilesError} where the bytes are not UTF-8 */
export function readJson({ path, bytes }: LoadedFile, placeholders: Placeholders): JsonFile {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidFilesError([{ severity: "error", path, message: "The file is not UTF-8" }]);
  }
  return new JsonFile(path, text, placeholders);
}
