import { printParseErrorCode, visit } from "jsonc-parser";
import { InvalidFilesError, type LoadedFile } from "../../runner/mod.ts";
import { bracketBeyond, type Part, partsOf, type Slice } from "./_slices.ts";
import { withoutSecretValues } from "./secret_members.ts";
import type { SearchFile } from "../types.ts";

/** A JSON object and the text it was read from: parts are cut out of the text, never serialized again. */
export interface JsonObject {
  readonly text: string;
  readonly members: readonly JsonMember[];
}

/** A member of an object. */
export interface JsonMember {
  readonly name: string;
  /** Name and value as they stand in the text. */
  readonly source: string;
  readonly value: JsonValue;
}

/** A value and its text. */
export interface JsonValue {
  readonly kind: "object" | "array" | "string" | "number" | "boolean" | "null";
  readonly source: string;
  /** The value, as `JSON.parse` reads it. */
  readonly data: unknown;
  /** Offset in the text, in UTF-16 units. */
  readonly offset: number;
}

const MAX_DEPTH = 1000;

/**
 * Reads a file as one JSON object (RFC 8259): no comments, no trailing commas, at most 1,000 levels.
 *
 * @throws {InvalidFilesError} naming line and column
 */
export function parseObject(file: SearchFile): JsonObject {
  const text = file.filled?.text ?? decode(file);
  checkJson(file, text);
  const start = text.search(/[^ \t\r\n]/);
  const kind = kindOf(text, start);
  if (kind !== "object") {
    throw invalid(file, text, start, `Expected a JSON object, found ${article(kind)}`);
  }
  const parts = partsOf(text, start);
  const members = parts.map((part) => memberOf(text, part));
  const names = members.map(({ name }) => name);
  const again = names.findIndex((name, index) => names.indexOf(name) < index);
  if (again !== -1) {
    const message = `The key '${names[again]}' is here twice, so it is not clear which one counts`;
    throw invalid(file, text, parts[again]!.name.start, message);
  }
  return { text, members };
}

/** @throws {InvalidFilesError} where a text is no JSON, or nested too deep */
export function checkJson(file: SearchFile, text: string): void {
  const depth = bracketBeyond(text, MAX_DEPTH);
  if (depth !== undefined) {
    throw invalid(file, text, depth, `The JSON is nested deeper than ${MAX_DEPTH} levels`);
  }
  try {
    JSON.parse(text);
  } catch (error) {
    throw broken(file, text, error);
  }
}

/** The value of a member; the last one counts where a name stands twice. */
export function member(members: readonly JsonMember[], name: string): JsonValue | undefined {
  return members.findLast((candidate) => candidate.name === name)?.value;
}

/** Whether an object has a member of this kind by one of these names. */
export function hasMember(
  { members }: JsonObject,
  kind: JsonValue["kind"],
  ...names: readonly string[]
): boolean {
  return names.some((name) => member(members, name)?.kind === kind);
}

/** The members of a value that is an object. */
export function membersOf(
  text: string,
  { offset }: Pick<JsonValue, "offset">,
): readonly JsonMember[] {
  return partsOf(text, offset).map((part) => memberOf(text, part));
}

/** An object with these members, as they stand in the text. */
export function objectText(members: readonly Pick<JsonMember, "source">[]): string {
  return `{${members.map(({ source }) => source).join(",")}}`;
}

/** The elements of a value that is an array. */
export function elementsOf(
  text: string,
  { offset }: Pick<JsonValue, "offset">,
): readonly JsonValue[] {
  return partsOf(text, offset).map(({ value }) => valueOf(text, value));
}

/** An error at an offset of the text; where values were filled in, the place is that of the original file. */
export function invalid(
  file: SearchFile,
  text: string,
  offset: number,
  message: string,
): InvalidFilesError {
  const { filled } = file;
  if (filled?.text === text) {
    const { path, location, hash, bytes } = file;
    const origin = filled.originOf(offset);
    return invalid({ path, location, hash, bytes }, filled.source, origin, message);
  }
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const line = before.length;
  const column = before.at(-1)!.length + 1;
  const start = offset - column + 1;
  const whole = text.split(/\r\n|\r|\n/, line)[line - 1] ?? "";
  const source = withoutSecretValues(whole, text.slice(0, start));
  const { path } = file;
  return new InvalidFilesError([{ severity: "error", path, message, line, column, source }]);
}

function memberOf(text: string, { name, value }: Part): JsonMember {
  return {
    name: JSON.parse(text.slice(name.start, name.end)),
    source: text.slice(name.start, value.end),
    value: valueOf(text, value),
  };
}

function valueOf(text: string, { start, end }: Slice): JsonValue {
  const source = text.slice(start, end);
  return {
    kind: kindOf(text, start),
    source,
    offset: start,
    get data() {
      return JSON.parse(source);
    },
  };
}

/** A JSON value tells by its first character what it is. */
function kindOf(text: string, start: number): JsonValue["kind"] {
  switch (text[start]) {
    case "{":
      return "object";
    case "[":
      return "array";
    case '"':
      return "string";
    case "t":
    case "f":
      return "boolean";
    case "n":
      return "null";
    default:
      return "number";
  }
}

/** The text of a file, without a byte order mark. @throws {InvalidFilesError} where it is not UTF-8 */
export function decode(file: LoadedFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file.bytes);
  } catch {
    const { path } = file;
    throw new InvalidFilesError([{ severity: "error", path, message: "The file is not UTF-8" }]);
  }
}

function broken(file: SearchFile, text: string, cause: unknown): InvalidFilesError {
  if (text.trim() === "") return invalid(file, text, 0, "Expected a JSON object, found nothing");
  let first: { readonly message: string; readonly offset: number } | undefined;
  visit(text, {
    onComment: (offset) => first ??= { message: "Comments are not allowed in JSON", offset },
    onError: (code, offset) => first ??= { message: words(printParseErrorCode(code)), offset },
  }, { disallowComments: false, allowTrailingComma: false });
  if (!first) {
    const { length } = text;
    const offset = /position (\d+)/.exec(String(cause))?.[1];
    first = { message: "The JSON is invalid", offset: Math.min(Number(offset ?? 0), length) };
  }
  return invalid(file, text, first.offset, first.message);
}

/** `CommaExpected` is `Comma expected`. */
function words(code: string): string {
  const text = code.replace(/(?!^)([A-Z])/g, " $1").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function article(type: string): string {
  return type === "array" ? "an array" : type === "null" ? "null" : `a ${type}`;
}
