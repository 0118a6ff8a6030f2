import {
  applyEdits,
  format,
  parse,
  type ParseError,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { bracketBeyond, memberSlices, type Slice } from "./_slices.ts";
import { valueOf as dataOf } from "./json_values.ts";

/** A value in a JSON text: its parts are cut out of the text, never serialized again. */
export class JsonValue {
  readonly kind: "object" | "array" | "string" | "number" | "boolean" | "null";
  readonly source: string;
  readonly offset: number;
  readonly #text: string;

  constructor(text: string, { start, end }: Slice) {
    this.kind = KINDS[text.charAt(start)] ?? "number";
    this.source = text.slice(start, end);
    this.offset = start;
    this.#text = text;
  }

  get data(): unknown {
    return JSON.parse(this.source);
  }

  /** Only for an object. They are not kept, because most of them are read once. */
  get members(): readonly JsonMember[] {
    return memberSlices(this.#text, this.offset).map(({ name, value }) => ({
      name: JSON.parse(this.#text.slice(name.start, name.end)),
      offset: name.start,
      source: this.#text.slice(name.start, value.end),
      value: new JsonValue(this.#text, value),
    }));
  }

  /** Only for an array. */
  get elements(): readonly JsonValue[] {
    return memberSlices(this.#text, this.offset).map(({ value }) =>
      new JsonValue(this.#text, value)
    );
  }
}

export interface JsonMember {
  readonly name: string;
  readonly offset: number;
  readonly source: string;
  readonly value: JsonValue;
}

const KINDS: Readonly<Record<string, JsonValue["kind"]>> = {
  "{": "object",
  "[": "array",
  '"': "string",
  t: "boolean",
  f: "boolean",
  n: "null",
};

/** The value of a whole text, which is JSON. */
export function jsonOf(text: string): JsonValue {
  return new JsonValue(text, { start: text.search(/[^ \t\r\n]/), end: text.trimEnd().length });
}

const MAX_DEPTH = 1000;

export interface JsonProblem {
  readonly message: string;
  readonly offset: number;
}

export function jsonProblem(text: string): JsonProblem | undefined {
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
export function bodyOf({ body }: { readonly body?: string | undefined }): unknown {
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

export function objectText(members: readonly Pick<JsonMember, "source">[]): string {
  return `{${members.map(({ source }) => source).join(",")}}`;
}

function syntaxProblem(text: string, cause: unknown): JsonProblem | undefined {
  if (text.trim() === "") return { message: "Expected a JSON object, found nothing", offset: 0 };
  let first: JsonProblem | undefined;
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

/** A JSON text with two spaces for each level and a final line break; its tokens do not change. */
export function printed(json: string): string {
  const text = json.trim();
  const options = { tabSize: 2, insertSpaces: true, eol: "\n", insertFinalNewline: true };
  return applyEdits(text, format(text, undefined, options));
}
