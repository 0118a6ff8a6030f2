import {
  ANNOTATIONS,
  isRecord,
  isSchema,
  type Schema,
  type SchemaReader,
} from "../contract/reader.ts";
import { notInstalled } from "../runtime/mod.ts";
import { patternOf } from "../text/mod.ts";

/** Says what is wrong with values, by the schemas of a document. */
export interface SchemaChecks {
  /** Whether it fits the schema as it stands. */
  fits(schema: Schema, value: unknown): boolean;
  /** What does not fit; a field that a schema with fields does not name is not known to clients, and wrong. */
  problems(schema: Schema, value: unknown): readonly string[];
}

/** @throws {PackageNotFoundError} when `@cfworker/json-schema` is not installed */
export async function schemaChecks(reader: SchemaReader): Promise<SchemaChecks> {
  const { Validator } = await import("@cfworker/json-schema")
    .catch(notInstalled("@cfworker/json-schema"));
  const { components } = isRecord(reader.document) ? reader.document : {};
  const shut = { components: shutWithin(components, reader) };
  const validators = new Map<string, InstanceType<typeof Validator>>();
  const check = (schema: Schema, root: Readonly<Record<string, unknown>>, value: unknown) => {
    const part = typeof schema !== "boolean" ? schema : schema ? {} : { not: {} };
    const whole = { ...root, allOf: [part] };
    const key = JSON.stringify([root === shut, schema]);
    const validator = validators.get(key) ??
      new Validator(withPatterns(whole, root !== shut) as Json, "2020-12", false);
    validators.set(key, validator);
    return validator.validate(value);
  };
  return {
    fits: (schema, value) => check(schema, { components }, value).valid,
    problems(schema, value) {
      const { valid, errors } = check(shutSchema(schema, reader), shut, value);
      return valid ? [] : leaves(errors);
    },
  };
}

type Json = Record<string, unknown>;

/**
 * With expressions that the validator can read. Of what nobody can read, no value fits; that an answer does not cannot be
 * said.
 */
function withPatterns(value: unknown, isStrict: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withPatterns(item, isStrict));
  if (!isRecord(value)) return value;
  const readable = (pattern: string) => {
    const expression = patternOf(pattern);
    return expression?.unicode ? expression.source : isStrict ? "(?!)" : "";
  };
  return Object.fromEntries(
    Object.entries(value).map(([keyword, inner]) => {
      if (ANNOTATIONS.has(keyword) || keyword === "const" || keyword === "enum") {
        return [keyword, inner];
      }
      if (keyword === "pattern" && typeof inner === "string") return [keyword, readable(inner)];
      const made = withPatterns(inner, isStrict);
      if (keyword !== "patternProperties" || !isRecord(made)) return [keyword, made];
      const named = Object.entries(made).map(([pattern, one]) => [readable(pattern), one]);
      return [keyword, Object.fromEntries(named)];
    }),
  );
}

interface Problem {
  readonly instanceLocation: string;
  readonly keyword: string;
  readonly error: string;
}

/** Leaves out what only says that something further down is wrong. */
function leaves(errors: readonly Problem[]): readonly string[] {
  const own = errors.filter(({ keyword }) => !OUTER.has(keyword));
  const texts = (own.length > 0 ? own : errors).map(({ instanceLocation, keyword, error }) => {
    const pointer = instanceLocation.replace(/^#/, "") || "the value";
    return keyword === "false" ? `${pointer}: is not in the schema` : `${pointer}: ${error}`;
  });
  return [...new Set(texts)];
}

const OUTER = new Set([
  ..."$ref allOf anyOf oneOf properties items prefixItems".split(" "),
  ..."additionalProperties unevaluatedProperties".split(" "),
]);

/** A schema of an answer in which objects have no fields but those that are named. */
function shutSchema(schema: Schema, reader: SchemaReader): Schema {
  if (!isRecord(schema)) return schema;
  const inside = shutWithin(schema, reader) as Record<string, unknown>;
  return isShut(schema, reader) ? { ...inside, unevaluatedProperties: false } : inside;
}

/** Shuts the schemas of fields and items; parts of `allOf` name some of the fields only. */
function shutWithin(value: unknown, reader: SchemaReader): unknown {
  if (Array.isArray(value)) return value.map((item) => shutWithin(item, reader));
  if (!isRecord(value)) return value;
  const shut = (schema: unknown) => isSchema(schema) ? shutSchema(schema, reader) : schema;
  return Object.fromEntries(
    Object.entries(value).map(([keyword, inner]) => {
      if (ANNOTATIONS.has(keyword) || keyword === "const" || keyword === "enum") {
        return [keyword, inner];
      }
      if (keyword === "properties" && isRecord(inner)) {
        const fields = Object.entries(inner).map(([name, schema]) => [name, shut(schema)]);
        return [keyword, Object.fromEntries(fields)];
      }
      if (keyword === "items" || keyword === "additionalProperties") return [keyword, shut(inner)];
      const hasAlternatives = /^(?:anyOf|oneOf|prefixItems)$/.test(keyword);
      if (hasAlternatives && Array.isArray(inner) && !isRecord(value.properties)) {
        return [keyword, inner.map(shut)];
      }
      return [keyword, shutWithin(inner, reader)];
    }),
  );
}

/** Whether it names fields, and says nothing of others. */
function isShut(
  schema: Schema,
  reader: SchemaReader,
  seen: ReadonlySet<unknown> = new Set(),
): boolean {
  const parts = partsOf(schema, reader, seen);
  return parts.some(({ properties }) => properties !== undefined) &&
    !parts.some((part) => OPEN.some((keyword) => part[keyword] !== undefined));
}

const OPEN = ["additionalProperties", "unevaluatedProperties", "patternProperties"];

/** The schema, what it refers to, and the parts of its `allOf`. */
function partsOf(
  schema: unknown,
  reader: SchemaReader,
  seen: ReadonlySet<unknown>,
): readonly Readonly<Record<string, unknown>>[] {
  if (!isRecord(schema) || seen.has(schema)) return [];
  const known = new Set([...seen, schema]);
  const target = typeof schema.$ref === "string" ? reader.resolve(schema.$ref) : undefined;
  const all = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [schema, ...[target, ...all].flatMap((part) => partsOf(part, reader, known))];
}
