import type { JsonSchema } from "./types.ts";

/** A schema as it stands in a document. */
export type Schema = JsonSchema | boolean;

/** `number` are two of them, so that one set holds another where the types do. */
export type TypeName =
  | "null"
  | "boolean"
  | "object"
  | "array"
  | "string"
  | "integer"
  | "fraction";

/** What a schema asks of a value, its references and `allOf` taken together. Each part has to hold. */
export interface SchemaForm {
  readonly types: ReadonlySet<TypeName>;
  /** Of `enum` and `const`; absent where there are neither. */
  readonly values?: readonly unknown[];
  /** Of `minimum`, `maxLength` and their like. */
  readonly limits: ReadonlyMap<string, number>;
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly multiples: readonly number[];
  readonly unique: boolean;
  readonly prefix: readonly Schema[];
  readonly items: Schema;
  readonly properties: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
  readonly additional: Schema;
  /** Of `anyOf` and `oneOf`: one alternative of each. */
  readonly groups: readonly Alternatives[];
  /** Keywords that are only compared as they stand. */
  readonly others: readonly (readonly [keyword: string, value: unknown])[];
}

/** Schemas of which one has to hold. */
export interface Alternatives {
  /** Whether it has to be one alone. */
  readonly exclusive: boolean;
  readonly of: readonly Schema[];
}

/** Keywords of a limit that is the stricter the greater it is. */
export const LOWER: readonly string[] = [
  "minimum",
  "exclusiveMinimum",
  "minLength",
  "minItems",
  "minProperties",
];
/** Keywords of a limit that is the stricter the less it is. */
export const UPPER: readonly string[] = [
  "maximum",
  "exclusiveMaximum",
  "maxLength",
  "maxItems",
  "maxProperties",
];
/** Keywords that no value depends on (JSON Schema validation, 9; OpenAPI 3.1, 4.8.24). */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
  "example",
  "examples",
  "externalDocs",
  "discriminator",
  "$comment",
  "$schema",
  "$id",
  "$defs",
]);

/** Whether a schema says nothing but which one of the document it is; annotations count for nothing. */
export function isReference(schema: unknown): schema is { readonly $ref: string } {
  return isRecord(schema) && typeof schema.$ref === "string" && schema.$ref.startsWith("#") &&
    Object.keys(schema).every((key) => key === "$ref" || ANNOTATIONS.has(key));
}

/** The value, where it is an object. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Whether it can be a schema. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isRecord(value);
}

/** Whether two values of JSON are the same; keys have no order. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]));
}

/** Whether it is an object of JSON. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The type of a value of JSON. */
export function typeOf(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value as TypeName;
}

/** The schemas of a list. */
export function schemasOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** Names of all types. */
export const ALL: ReadonlySet<TypeName> = new Set<TypeName>([
  "null",
  "boolean",
  "object",
  "array",
  "string",
  "integer",
  "fraction",
]);
