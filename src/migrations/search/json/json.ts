import { nearest, printable } from "../../../text/mod.ts";
import {
  applyEdits,
  format,
  parse,
  type ParseError,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { type FileProblem, InvalidFilesError } from "../../runner/mod.ts";
import type { SearchFile, SearchRequest } from "../types.ts";
import { bracketBeyond, type MemberSlice, memberSlices, type Slice } from "./_slices.ts";
import { valueOf as dataOf } from "./json_values.ts";
import { withoutSecretValues } from "./secret_members.ts";

/** A JSON object and the text it was read from: parts are cut out of the text, never serialized again. */
export interface JsonObject {
  readonly text: string;
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly name: string;
  readonly offset: number;
  readonly source: string;
  readonly value: JsonValue;
}

export interface JsonValue {
  readonly kind: "object" | "array" | "string" | "number" | "boolean" | "null";
  readonly source: string;
  readonly data: unknown;
  readonly offset: number;
}

const MAX_DEPTH = 1000;

/** A file and a text of it. Refusals name line and column; where values were filled in, those of the original file. */
export class FileText {
  constructor(
    readonly file: SearchFile,
    readonly text: string = file.filled?.text ?? decode(file),
  ) {}

  refuseIf(problem: string | undefined, offset = 0): void {
    if (problem !== undefined) this.refuse(offset, problem);
  }

  refuse(offset: number, message: string): never {
    throw new InvalidFilesError([this.problem("error", offset, message)]);
  }

  /** Names the place of an offset, and shows its line without secrets. */
  problem(severity: FileProblem["severity"], offset: number, message: string): FileProblem {
    const { path, filled } = this.file;
    const isFilled = filled?.text === this.text;
    const [text, at] = isFilled ? [filled.source, filled.originOf(offset)] : [this.text, offset];
    const before = text.slice(0, at).split(LINE_BREAK);
    const line = before.length;
    const column = before.at(-1)!.length + 1;
    const whole = text.split(LINE_BREAK, line)[line - 1] ?? "";
    const source = withoutSecretValues(whole, text.slice(0, at - column + 1));
    return { severity, path, message, line, column, source };
  }
}

const LINE_BREAK = /\r\n|\r|\n/;

/** A file that holds one JSON object (RFC 8259): no comments, no trailing commas, at most 1,000 levels. */
export class JsonFile extends FileText implements JsonObject {
  readonly members: readonly JsonMember[];

  /** @throws {InvalidFilesError} for anything else, and for a key that occurs twice */
  constructor(file: SearchFile) {
    super(file);
    const { text } = this;
    const problem = jsonProblem(text);
    if (problem) this.refuse(problem.offset, problem.message);
    const start = text.search(/[^ \t\r\n]/);
    const kind = valueKindAt(text, start);
    if (kind !== "object") this.refuse(start, `Expected a JSON object, found ${article(kind)}`);
    this.members = memberSlices(text, start).map((part) => memberOf(text, part));
    const names = this.members.map(({ name }) => name);
    const again = names.findIndex((name, index) => names.indexOf(name) < index);
    if (again !== -1) {
      const message = `The key '${names[again]}' occurs twice, so it is unclear which one counts`;
      this.refuse(this.members[again]!.offset, message);
    }
  }

  /** Refuses a file that has none of these members, at the place of one that may be meant. @throws {InvalidFilesError} */
  refuseWithout(expected: MembersByKind, message: string): never {
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

type MembersByKind = Readonly<Partial<Record<JsonValue["kind"], readonly string[]>>>;

export function misspeltKey(name: string, meant: string): string {
  return `Unknown key '${printable(name)}': did you mean '${meant}'?`;
}

export function jsonProblem(
  text: string,
): { readonly message: string; readonly offset: number } | undefined {
  const deep = bracketBeyond(text, MAX_DEPTH);
  if (deep !== undefined) {
    return { message: `The JSON is nested deeper than ${MAX_DEPTH} levels`, offset: deep };
  }
  try {
    JSON.parse(text);
  } catch (error) {
    return syntaxProblem(text, error);
  }
}

/** The body of a request as clusters read it: with comments. `undefined` where it is none, or lines of JSON. */
export function bodyOf({ body }: Pick<SearchRequest, "body">): unknown {
  const plain = dataOf(body);
  if (plain !== undefined || body === undefined) return plain;
  const errors: ParseError[] = [];
  const data = parse(body, errors);
  return errors.length === 0 ? data : undefined;
}

/** The last one counts where a name occurs twice. */
export function member(members: readonly JsonMember[], name: string): JsonValue | undefined {
  return members.findLast((candidate) => candidate.name === name)?.value;
}

export function membersOf(text: string, { offset }: { offset: number }): readonly JsonMember[] {
  return memberSlices(text, offset).map((part) => memberOf(text, part));
}

export function objectText(members: readonly Pick<JsonMember, "source">[]): string {
  return `{${members.map(({ source }) => source).join(",")}}`;
}

export function elementsOf(text: string, { offset }: { offset: number }): readonly JsonValue[] {
  return memberSlices(text, offset).map(({ value }) => valueOf(text, value));
}

function memberOf(text: string, { name, value }: MemberSlice): JsonMember {
  return {
    name: JSON.parse(text.slice(name.start, name.end)),
    offset: name.start,
    source: text.slice(name.start, value.end),
    value: valueOf(text, value),
  };
}

function valueOf(text: string, { start, end }: Slice): JsonValue {
  const source = text.slice(start, end);
  return {
    kind: valueKindAt(text, start),
    source,
    offset: start,
    get data() {
      return JSON.parse(source);
    },
  };
}

const KINDS: Readonly<Record<string, JsonValue["kind"]>> = {
  "{": "object",
  "[": "array",
  '"': "string",
  t: "boolean",
  f: "boolean",
  n: "null",
};

function valueKindAt(text: string, start: number): JsonValue["kind"] {
  return KINDS[text.charAt(start)] ?? "number";
}

function decode({ path, bytes }: SearchFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidFilesError([{ severity: "error", path, message: "The file is not UTF-8" }]);
  }
}

function syntaxProblem(text: string, cause: unknown): ReturnType<typeof jsonProblem> {
  if (text.trim() === "") return { message: "Expected a JSON object, found nothing", offset: 0 };
  let first: ReturnType<typeof jsonProblem>;
  visit(text, {
    onComment: (offset) => first ??= { message: "Comments are not allowed in JSON", offset },
    onError: (code, offset) => first ??= { message: words(printParseErrorCode(code)), offset },
  }, { disallowComments: false, allowTrailingComma: false });
  const offset = Number(/position (\d+)/.exec(String(cause))?.[1] ?? 0);
  return first ?? { message: "The JSON is invalid", offset: Math.min(offset, text.length) };
}

function words(code: string): string {
  const text = code.replace(/(?!^)([A-Z])/g, " $1").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function article(type: string): string {
  return type === "array" ? "an array" : type === "null" ? "null" : `a ${type}`;
}

/** A JSON text with two spaces for each level and a final line break; its tokens do not change. */
export function printed(json: string): string {
  const text = json.trim();
  const options = { tabSize: 2, insertSpaces: true, eol: "\n", insertFinalNewline: true };
  return applyEdits(text, format(text, undefined, options));
}
