import type { StandardSchemaV1 } from "@standard-schema/spec";

/**
 * What each word that names a type stands for.
 *
 * @internal
 */
export interface ScalarTypes {
  /** Text as it was sent. */
  string: string;
  /** A whole number within the safe range. */
  int: number;
  /** A whole number of any size, up to 1,000 digits. */
  bigint: bigint;
  /** A finite decimal number. */
  number: number;
  /** `true on yes 1` or `false off no 0`, in any case. */
  boolean: boolean;
  /** A UUID, in lower case. */
  uuid: string;
  /** A day of the calendar, `2026-11-21`; a text, as it is no moment in time. */
  date: string;
  /** An RFC 3339 date and time with its offset. */
  "date-time": Date;
}

/**
 * How a text is converted: a word, the list of texts that are allowed, or any Standard Schema.
 *
 * @internal
 */
export type ValueType = keyof ScalarTypes | readonly string[] | StandardSchemaV1;

/**
 * A class that is a Standard Schema of its own instances, as `Model(schema)` makes them.
 *
 * @internal
 */
export type ModelClass = (abstract new () => object) & StandardSchemaV1;

/**
 * What a schema gives: for a class, its instances (TypeScript cannot type a static by its subclass).
 *
 * @internal
 */
export type OutputOf<S> = S extends abstract new () => infer I ? I
  : S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S>
  : never;

/**
 * The value that a `ValueType` gives.
 *
 * @internal
 */
export type ValueOf<T> = T extends keyof ScalarTypes ? ScalarTypes[T]
  : T extends readonly (infer L)[] ? L
  : OutputOf<T>;
