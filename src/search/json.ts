import { type Node, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import { InvalidFileError, type MigrationFile } from "../migrations/mod.ts";

/** A JSON object and the text it was read from: parts are cut out of the text, never written anew. */
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
  /** Members of an object, elements of an array. */
  readonly node: Node;
  /** Offset in the text, in UTF-16 units. */
  readonly offset: number;
}

const MAX_DEPTH = 1000;

/**
 * Reads a file as one JSON object (RFC 8259): no comments, no trailing commas, at most 1,000 levels.
 *
 * @throws {InvalidFileError} naming line and column
 */
export function parseObject(file: MigrationFile): JsonObject {
  const text = decode(file);
  const depth = tooDeep(text);
  if (depth !== undefined) {
    throw invalid(file, text, depth, `The JSON is nested deeper than ${MAX_DEPTH} levels`);
  }
  try {
    JSON.parse(text);
  } catch (error) {
    throw broken(file, text, error);
  }
  const root = parseTree(text)!;
  if (root.type !== "object") {
    throw invalid(file, text, root.offset, `Expected a JSON object, found ${article(root.type)}`);
  }
  return { text, members: membersOf(text, root) };
}

/** The value of a member; the last one counts where a name stands twice. */
export function member(members: readonly JsonMember[], name: string): JsonValue | undefined {
  return members.findLast((candidate) => candidate.name === name)?.value;
}

/** The members of a value that is an object. */
export function membersOf(text: string, node: Node): readonly JsonMember[] {
  return (node.children ?? []).map(({ offset, length, children }) => ({
    name: children![0]!.value as string,
    source: text.slice(offset, offset + length),
    value: valueOf(text, children![1]!),
  }));
}

/** The elements of a value that is an array. */
export function elementsOf(text: string, node: Node): readonly JsonValue[] {
  return (node.children ?? []).map((child) => valueOf(text, child));
}

/** The same JSON without white space between its tokens; the tokens stay as they are. */
export function compact(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => part.startsWith('"') ? part : "");
}

/** An error at an offset of the text. */
export function invalid(
  file: MigrationFile,
  text: string,
  offset: number,
  message: string,
): InvalidFileError {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const line = before.length;
  const source = text.split(/\r\n|\r|\n/, line)[line - 1] ?? "";
  const column = before.at(-1)!.length + 1;
  return new InvalidFileError({ path: file.path, message, line, column, source });
}

function valueOf(text: string, node: Node): JsonValue {
  const source = text.slice(node.offset, node.offset + node.length);
  return {
    kind: node.type as JsonValue["kind"],
    source,
    node,
    offset: node.offset,
    get data() {
      return JSON.parse(source);
    },
  };
}

function decode(file: MigrationFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file.bytes);
  } catch {
    throw new InvalidFileError({ path: file.path, message: "The file is not UTF-8" });
  }
}

/** Offset of the bracket that opens one level too many; found without recursion. */
function tooDeep(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > MAX_DEPTH) return index;
  }
}

function broken(file: MigrationFile, text: string, cause: unknown): InvalidFileError {
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
