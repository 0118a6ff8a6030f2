import type { JsonSchema } from "../schema/mod.ts";

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

/** A schema that asks for both. */
export function both(one: Schema, other: Schema): Schema {
  if (one === true) return other;
  if (other === true) return one;
  if (one === false || other === false) return false;
  const parts = [one, other].flatMap((schema) =>
    Object.keys(schema).length === 1 && schema.allOf ? schemasOf(schema.allOf) : [schema]
  );
  const different = new Map(parts.map((part) => [JSON.stringify(part), part]));
  const [only, ...more] = different.values();
  return more.length === 0 ? only! : { allOf: [...different.values()] };
}

/** The form of what both ask for. */
export function merged(one: SchemaForm, other: SchemaForm): SchemaForm {
  const values = one.values && other.values
    ? one.values.filter((value) => other.values!.some((known) => sameJson(value, known)))
    : one.values ?? other.values;
  const limits = new Map(one.limits);
  for (const [keyword, limit] of other.limits) {
    const known = limits.get(keyword) ?? limit;
    limits.set(keyword, (LOWER.includes(keyword) ? Math.max : Math.min)(known, limit));
  }
  const places = Math.max(one.prefix.length, other.prefix.length);
  const names = new Set([...one.properties.keys(), ...other.properties.keys()]);
  const at = ({ prefix, items }: SchemaForm, index: number) => prefix[index] ?? items;
  const of = ({ properties, additional }: SchemaForm, name: string) =>
    properties.get(name) ?? additional;
  return {
    types: one.types.intersection(other.types),
    ...(values && { values }),
    limits,
    patterns: union(one.patterns, other.patterns),
    formats: union(one.formats, other.formats),
    multiples: union(one.multiples, other.multiples),
    unique: one.unique || other.unique,
    prefix: Array.from({ length: places }, (_, index) => both(at(one, index), at(other, index))),
    items: both(one.items, other.items),
    properties: new Map([...names].map((name) => [name, both(of(one, name), of(other, name))])),
    required: one.required.union(other.required),
    additional: both(one.additional, other.additional),
    groups: [...one.groups, ...other.groups],
    others: [...one.others, ...other.others],
  };
}

/** Whether any value fits. */
export function asksNothing(form: SchemaForm): boolean {
  const { types, values, limits, properties, required, items, additional, unique } = form;
  const { patterns, formats, multiples, prefix, groups, others } = form;
  return types.size === ALL.size && values === undefined && items === true &&
    additional === true && !unique && limits.size + properties.size + required.size === 0 &&
    [patterns, formats, multiples, prefix, groups, others].every(({ length }) => length === 0);
}

/** What `{}` asks for. */
export const ANYTHING: SchemaForm = {
  types: ALL,
  limits: new Map(),
  patterns: [],
  formats: [],
  multiples: [],
  unique: false,
  prefix: [],
  items: true,
  properties: new Map(),
  required: new Set(),
  additional: true,
  groups: [],
  others: [],
};

function union<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return [...new Set([...one, ...other])];
}

/** Keywords that are read one by one. */
const READ = new Set([
  ...LOWER,
  ...UPPER,
  ..."$ref allOf anyOf oneOf type enum const pattern format multipleOf uniqueItems".split(" "),
  ..."prefixItems items properties required additionalProperties".split(" "),
]);

/** What the keywords of a schema ask for, without its references and `allOf`. */
export function ownForm(schema: JsonSchema): SchemaForm {
  const { pattern, format, multipleOf, anyOf, oneOf, properties, required } = schema;
  const values = Object.hasOwn(schema, "const")
    ? [schema.const]
    : Array.isArray(schema.enum)
    ? schema.enum
    : undefined;
  const named = typesNamed(schema.type);
  const types = values === undefined ? named : new Set(values.map(typeOf)).intersection(named);
  const limits = [...LOWER, ...UPPER].flatMap((keyword) => {
    const limit = schema[keyword];
    return typeof limit === "number" ? [whole(keyword, limit, types)] : [];
  });
  const groups = [[anyOf, false] as const, [oneOf, true] as const].flatMap(([of, exclusive]) =>
    Array.isArray(of) ? [{ exclusive, of: schemasOf(of) }] : []
  );
  return {
    types,
    ...(values && { values: values.filter((value) => types.has(typeOf(value))) }),
    limits: new Map(limits),
    patterns: typeof pattern === "string" ? [pattern] : [],
    formats: typeof format === "string" ? [format] : [],
    multiples: typeof multipleOf === "number" ? [multipleOf] : [],
    unique: schema.uniqueItems === true,
    prefix: schemasOf(schema.prefixItems),
    items: isSchema(schema.items) ? schema.items : true,
    properties: new Map(
      Object.entries(isRecord(properties) ? properties : {}).filter(
        (entry): entry is [string, Schema] => isSchema(entry[1]),
      ),
    ),
    required: new Set(Array.isArray(required) ? required.map(String) : []),
    additional: plain(schema.additionalProperties),
    groups,
    others: Object.entries(schema).filter(([keyword]) =>
      !READ.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith("x-")
    ),
  };
}

/** `{}` says the same as `true`. */
function plain(schema: unknown): Schema {
  return isSchema(schema) && !(isRecord(schema) && Object.keys(schema).length === 0)
    ? schema
    : true;
}

/** Above 0 means from 1 on where there are whole numbers alone. */
function whole(
  keyword: string,
  limit: number,
  types: ReadonlySet<TypeName>,
): readonly [string, number] {
  if (types.has("fraction")) return [keyword, limit];
  if (keyword === "exclusiveMinimum") return ["minimum", Math.floor(limit) + 1];
  if (keyword === "exclusiveMaximum") return ["maximum", Math.ceil(limit) - 1];
  return [keyword, limit];
}

function typesNamed(type: unknown): ReadonlySet<TypeName> {
  if (type === undefined) return ALL;
  const names = Array.isArray(type) ? type : [type];
  return new Set(
    names.flatMap((name) => name === "number" ? ["integer", "fraction"] : [name]) as TypeName[],
  );
}
