import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isSchema } from "./part.ts";

/** @internal The type of the values for each type name. */
export interface ScalarTypes {
  /** Text as it was sent. */
  string: string;
  int: number;
  /** An integer with up to 1,000 digits. */
  bigint: bigint;
  number: number;
  /** `true on yes 1` or `false off no 0`, in any case. */
  boolean: boolean;
  /** A UUID, in lower case. */
  uuid: string;
  /** A calendar date, `2026-11-21`, as text: it is no point in time. */
  date: string;
  /** An RFC 3339 date and time with its offset. */
  "date-time": Date;
}

/** @internal How a text is converted: a type name, a list of the allowed texts, or any Standard Schema. */
export type ValueType = keyof ScalarTypes | readonly string[] | StandardSchemaV1;

/** @internal A class that is a Standard Schema for its own instances, as `Model(schema)` makes it. */
export type ModelClass = (abstract new () => object) & StandardSchemaV1;

/** @internal The output of a schema; of a class its instances, as TypeScript cannot type a static member by its subclass. */
export type OutputOf<S> = S extends abstract new () => infer I ? I
  : S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S>
  : never;

/** @internal The value for a `ValueType`. */
export type ValueOf<T> = T extends keyof ScalarTypes ? ScalarTypes[T]
  : T extends readonly (infer L)[] ? L
  : OutputOf<T>;

export interface Conversion {
  readonly expected: string;
  convert(text: string): unknown;
}

export function conversionOf(type: Exclude<ValueType, StandardSchemaV1>): Conversion {
  return typeof type === "string" ? SCALARS[type] : oneOf(type);
}

export function isValueType(type: unknown): type is ValueType {
  return typeof type === "string" || Array.isArray(type) || isSchema(type);
}

export function isTypeName(word: string): word is keyof ScalarTypes {
  return Object.hasOwn(SCALARS, word);
}

const SCALARS: { readonly [T in keyof ScalarTypes]: Conversion } = {
  string: { expected: "a string", convert: (text) => text },
  int: { expected: "an integer", convert: convertInt },
  bigint: {
    expected: "an integer",
    convert: (text) =>
      text.length <= MAX_BIGINT_LENGTH && INTEGER.test(text) ? BigInt(text) : undefined,
  },
  number: { expected: "a number", convert: convertNumber },
  boolean: { expected: "a boolean (true or false)", convert: convertBoolean },
  uuid: { expected: "a UUID", convert: (text) => UUID.test(text) ? text.toLowerCase() : undefined },
  date: {
    expected: "a date, such as 2026-01-31",
    convert: (text) => convertDateTime(`${text}T00:00:00Z`) && text,
  },
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
/** Each digit can match in one place: with `\d+\.?\d*` the time would grow with the square of the length. */
const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** The time to parse a bigint grows with the square of its length. */
const MAX_BIGINT_LENGTH = 1001;

function convertInt(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

function convertNumber(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function convertBoolean(text: string): boolean | undefined {
  if (/^(?:true|on|yes|1)$/i.test(text)) return true;
  return /^(?:false|off|no|0)$/i.test(text) ? false : undefined;
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Parses an RFC 3339 `date-time` to the millisecond. A `Date` cannot hold leap seconds (`:60`). */
function convertDateTime(text: string): Date | undefined {
  const [, day, time, fraction = "", sign, hours = 0, minutes = 0] = DATE_TIME.exec(text) ?? [];
  const local = `${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
  const date = new Date(local);
  // `Date` turns February 30 into March 2, and 24:00 into 00:00.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== local) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(date.getTime() - (sign === "-" ? -offset : offset));
}
