import type { JsonSchema } from "../../schema/mod.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Schema = JsonSchema | boolean;

/** `number` is split in two, so that a set of types is a subset where its values are. */
export type TypeName = (typeof NAMES)[number];

const NAMES = ["null", "boolean", "object", "array", "string", "integer", "fraction"] as const;
const ALL: ReadonlySet<TypeName> = new Set(NAMES);

/** The requirements of a schema on a value, with references and `allOf` merged. A value has to fit each member. */
export interface SchemaForm {
  readonly types: ReadonlySet<TypeName>;
  readonly values?: readonly unknown[];
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
  readonly groups: readonly Alternatives[];
  readonly others: readonly (readonly [keyword: string, value: unknown])[];
}

export interface Alternatives {
  readonly exclusive: boolean;
  readonly of: readonly Schema[];
}

export const LOWER: readonly string[] = "minimum exclusiveMinimum minLength minItems minProperties"
  .split(" ");
const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/** Keywords that do not affect validation (JSON Schema validation, 9; OpenAPI 3.1, 4.8.24). */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  ..."title description default deprecated readOnly writeOnly example examples".split(" "),
  ..."externalDocs discriminator $comment $schema $id $defs".split(" "),
]);

export function isReference(schema: unknown): schema is { readonly $ref: string } {
  return isRecord(schema) && typeof schema.$ref === "string" && schema.$ref.startsWith("#") &&
    Object.keys(schema).every((key) => key === "$ref" || ANNOTATIONS.has(key));
}

export function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isRecord(value);
}

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

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function typeOf(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value as TypeName;
}

export function schemasOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

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

export function mergeForms(one: SchemaForm, other: SchemaForm): SchemaForm {
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

export function acceptsAnything(
  { types, values, items, additional, unique, ...collections }: SchemaForm,
): boolean {
  return types.size === ALL.size && values === undefined && items === true &&
    additional === true && !unique &&
    Object.values(collections).every((one) => ("size" in one ? one.size : one.length) === 0);
}

function union<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return [...new Set([...one, ...other])];
}

const READ = new Set([
  ...LOWER,
  ...UPPER,
  ..."$ref allOf anyOf oneOf type enum const pattern format multipleOf uniqueItems".split(" "),
  ..."prefixItems items properties required additionalProperties".split(" "),
]);

export function ownForm(schema: JsonSchema): SchemaForm {
  const { pattern, format, multipleOf, anyOf, oneOf, properties, required } = schema;
  const { additionalProperties: additional } = schema;
  const values = Object.hasOwn(schema, "const")
    ? [schema.const]
    : Array.isArray(schema.enum)
    ? schema.enum
    : undefined;
  const named = typesNamed(schema.type);
  const types = values === undefined ? named : new Set(values.map(typeOf)).intersection(named);
  const limits = [...LOWER, ...UPPER].flatMap((keyword): [string, number][] => {
    const limit = schema[keyword];
    if (typeof limit !== "number") return [];
    // The limits of integers are inclusive.
    const isWhole = !types.has("fraction");
    if (isWhole && keyword === "exclusiveMinimum") return [["minimum", Math.floor(limit) + 1]];
    if (isWhole && keyword === "exclusiveMaximum") return [["maximum", Math.ceil(limit) - 1]];
    return [[keyword, limit]];
  });
  const groups = [[anyOf, false] as const, [oneOf, true] as const].flatMap(([of, exclusive]) =>
    Array.isArray(of) ? [{ exclusive, of: schemasOf(of) }] : []
  );
  return {
    types,
    ...(values && { values: values.filter((value) => types.has(typeOf(value))) }),
    limits: new Map(limits),
    patterns: typeof pattern === "string" ? [pattern] : [],
    // An integer without a format may have 64 bits, too.
    formats: typeof format === "string" && format !== "int64" ? [format] : [],
    multiples: typeof multipleOf === "number" ? [multipleOf] : [],
    unique: schema.uniqueItems === true,
    prefix: schemasOf(schema.prefixItems),
    items: isSchema(schema.items) ? schema.items : true,
    properties: new Map(
      Object.entries(recordOf(properties)).filter((entry): entry is [string, Schema] =>
        isSchema(entry[1])
      ),
    ),
    required: new Set(Array.isArray(required) ? required.map(String) : []),
    // `{}` means the same as `true`.
    additional: isSchema(additional) && !sameJson(additional, {}) ? additional : true,
    groups,
    others: Object.entries(schema).filter(([keyword]) =>
      !READ.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith("x-")
    ),
  };
}

export const ANYTHING: SchemaForm = ownForm({});

function typesNamed(type: unknown): ReadonlySet<TypeName> {
  if (type === undefined) return ALL;
  const names: readonly unknown[] = [type].flat();
  return new Set(
    names.flatMap((name) => name === "number" ? ["integer", "fraction"] : [name]) as TypeName[],
  );
}
