import { nameOfToken } from "../text/mod.ts";
import {
  ALL,
  ANNOTATIONS,
  isRecord,
  isSchema,
  LOWER,
  type Schema,
  type SchemaForm,
  schemasOf,
  type TypeName,
  typeOf,
  UPPER,
} from "./_form.ts";
import { ANYTHING, merged } from "./_merged_form.ts";
import type { JsonSchema } from "./types.ts";

export {
  type Alternatives,
  ANNOTATIONS,
  isRecord,
  isReference,
  isSchema,
  LOWER,
  recordOf,
  sameJson,
  type Schema,
  type SchemaForm,
  type TypeName,
  typeOf,
  UPPER,
} from "./_form.ts";
export { asksNothing, both, merged } from "./_merged_form.ts";

/** Reads schemas of one document. */
export class SchemaReader {
  constructor(readonly document: object) {}

  /** What a reference within the document leads to; `undefined` where that is nothing. */
  resolve(reference: string): unknown {
    if (!reference.startsWith("#")) return undefined;
    let target: unknown = this.document;
    for (const token of reference.slice(1).split("/").slice(1)) {
      const key = nameOfToken(decoded(token));
      target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    return target;
  }

  /** A reference object (OpenAPI 3.1, 4.8.23), or what it refers to. */
  follow(value: unknown): Readonly<Record<string, unknown>> {
    const seen = new Set<string>();
    let target = value;
    while (isRecord(target) && typeof target.$ref === "string" && !seen.has(target.$ref)) {
      seen.add(target.$ref);
      target = this.resolve(target.$ref);
    }
    return isRecord(target) ? target : {};
  }

  /** All that a schema asks for. */
  form(schema: Schema, seen: ReadonlySet<string> = new Set()): SchemaForm {
    if (typeof schema === "boolean") return schema ? ANYTHING : { ...ANYTHING, types: new Set() };
    const { $ref, allOf } = schema;
    let form = ownForm(schema);
    if (typeof $ref === "string" && !seen.has($ref)) {
      const target = this.resolve($ref);
      const rest = isSchema(target)
        ? this.form(target, new Set([...seen, $ref]))
        : { ...ANYTHING, others: [["$ref", $ref] as const] };
      form = merged(form, rest);
    }
    for (const part of schemasOf(allOf)) form = merged(form, this.form(part, seen));
    return form;
  }

  /** Whether the schema, or what it refers to, has an annotation such as `readOnly`. */
  isAnnotated(schema: Schema | undefined, keyword: string): boolean {
    return isRecord(schema) && (schema[keyword] ?? this.follow(schema)[keyword]) === true;
  }

  /** The value that is taken where none is given, as the schema or what it refers to says. */
  defaultOf(schema: Schema | undefined): unknown {
    if (!isRecord(schema)) return undefined;
    return (Object.hasOwn(schema, "default") ? schema : this.follow(schema)).default;
  }
}

/** Keywords that are read one by one. */
const READ = new Set([
  ...LOWER,
  ...UPPER,
  ..."$ref allOf anyOf oneOf type enum const pattern format multipleOf uniqueItems".split(" "),
  ..."prefixItems items properties required additionalProperties".split(" "),
]);

/** What the keywords of a schema ask for, without its references and `allOf`. */
function ownForm(schema: JsonSchema): SchemaForm {
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

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token; // A percent sign that encodes nothing.
  }
}
