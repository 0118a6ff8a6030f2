import type { StandardSchemaV1 } from "@standard-schema/spec";
import { convertDate, convertDateTime } from "./date_time.ts";
import { isSchema } from "./schema.ts";
import type { ScalarTypes, ValueType } from "./value_type.ts";

/** Turns a text into a value, strictly: nothing is guessed, trimmed or cut off. */
export interface Conversion {
  /** What the text has to be, as it ends the sentence "expected …". */
  readonly expected: string;
  /** The value, or `undefined` when the text is not what was expected. */
  convert(text: string): unknown;
}

/** The conversion of a type that is no schema. */
export function conversionOf(type: Exclude<ValueType, StandardSchemaV1>): Conversion {
  return typeof type === "string" ? SCALARS[type] : oneOf(type);
}

/** Whether `type` is a word, a list of texts or a schema; options of a binder are none of these. */
export function isValueType(type: unknown): type is ValueType {
  return typeof type === "string" || Array.isArray(type) || isSchema(type);
}

/** Whether a word names a type; scripts are not told by the compiler. */
export function isTypeName(word: string): word is keyof ScalarTypes {
  return Object.hasOwn(SCALARS, word);
}

const SCALARS: { readonly [T in keyof ScalarTypes]: Conversion } = {
  string: { expected: "a text", convert: (text) => text },
  int: { expected: "an integer", convert: convertInt },
  bigint: { expected: "an integer", convert: convertBigint },
  number: { expected: "a number", convert: convertNumber },
  boolean: { expected: "a boolean (true or false)", convert: convertBoolean },
  uuid: { expected: "a UUID", convert: convertUuid },
  date: { expected: "a date, such as 2026-01-31", convert: convertDate },
  "date-time": {
    expected: "a date and time with offset, such as 2026-01-31T12:00:00Z",
    convert: convertDateTime,
  },
};

function oneOf(literals: readonly string[]): Conversion {
  const allowed = new Set(literals);
  return {
    expected: `one of ${literals.map((literal) => `'${literal}'`).join(", ")}`,
    convert: (text) => allowed.has(text) ? text : undefined,
  };
}

const INTEGER = /^-?\d+$/;
/** Each digit has one place to go: with `\d+\.?\d*` the time would grow with the square of their number. */
const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** Reading digits into a bigint takes time that grows with the square of their count. */
const MAX_BIGINT_LENGTH = 1001;

function convertInt(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

function convertBigint(text: string): bigint | undefined {
  return text.length <= MAX_BIGINT_LENGTH && INTEGER.test(text) ? BigInt(text) : undefined;
}

function convertNumber(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function convertBoolean(text: string): boolean | undefined {
  switch (text.toLowerCase()) {
    case "true":
    case "on":
    case "yes":
    case "1":
      return true;
    case "false":
    case "off":
    case "no":
    case "0":
      return false;
  }
  return undefined;
}

function convertUuid(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined;
}
