import {
  ANNOTATIONS,
  isRecord,
  isSchema,
  type Schema,
  type SchemaReader,
} from "../contract/reader.ts";
import type { OutputUnit } from "@cfworker/json-schema";
import { notInstalled } from "../../runtime/mod.ts";
import { patternOf } from "../../text/mod.ts";

export type SchemaChecks = Awaited<ReturnType<typeof schemaChecks>>;

/** @throws {PackageNotFoundError} when `@cfworker/json-schema` is not installed */
export async function schemaChecks(reader: SchemaReader) {
  const { Validator } = await import("@cfworker/json-schema")
    .catch(notInstalled("@cfworker/json-schema"));
  const { components } = isRecord(reader.document) ? reader.document : {};
  const closed = { components: closeWithin(components, reader) };
  const validators = new Map<string, InstanceType<typeof Validator>>();
  const check = (schema: Schema, root: Readonly<Record<string, unknown>>, value: unknown) => {
    const part = typeof schema !== "boolean" ? schema : schema ? {} : { not: {} };
    const whole = { ...root, allOf: [part] };
    const key = JSON.stringify([root === closed, schema]);
    const validator = validators.get(key) ??
      new Validator(withPatterns(whole, root !== closed) as Json, "2020-12", false);
    validators.set(key, validator);
    return validator.validate(value);
  };
  return {
    reader,
    fits: (schema: Schema, value: unknown) => check(schema, { components }, value).valid,
    /** What does not fit, including fields that an object schema does not name, as clients do not know them. */
    problems(schema: Schema, value: unknown): readonly string[] {
      const { valid, errors } = check(closeSchema(schema, reader), closed, value);
      return valid ? [] : textsOf(errors);
    },
  };
}

type Json = Record<string, unknown>;

function mapKeywords(
  value: unknown,
  change: (keyword: string, inner: unknown, schema: Readonly<Json>) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapKeywords(item, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([keyword, inner]) => {
      const isData = ANNOTATIONS.has(keyword) || keyword === "const" || keyword === "enum";
      return [keyword, isData ? inner : change(keyword, inner, value)];
    }),
  );
}

/** Replaces patterns that the validator cannot read: then no request is valid, and every response is. */
function withPatterns(schema: unknown, isRequest: boolean): unknown {
  const readable = (pattern: string) => {
    const expression = patternOf(pattern);
    return expression?.unicode ? expression.source : isRequest ? "(?!)" : "";
  };
  const change = (keyword: string, inner: unknown): unknown => {
    if (keyword === "pattern" && typeof inner === "string") return readable(inner);
    const changed = mapKeywords(inner, change);
    if (keyword !== "patternProperties" || !isRecord(changed)) return changed;
    const named = Object.entries(changed).map(([pattern, one]) => [readable(pattern), one]);
    return Object.fromEntries(named);
  };
  return mapKeywords(schema, change);
}

function textsOf(errors: readonly OutputUnit[]): readonly string[] {
  const own = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const texts = (own.length > 0 ? own : errors).map(({ instanceLocation, keyword, error }) => {
    const pointer = instanceLocation.replace(/^#/, "") || "the value";
    return keyword === "false" ? `${pointer}: is not in the schema` : `${pointer}: ${error}`;
  });
  return [...new Set(texts)];
}

const CONTAINERS = new Set([
  ..."$ref allOf anyOf oneOf properties items prefixItems".split(" "),
  ..."additionalProperties unevaluatedProperties".split(" "),
]);

function closeSchema(schema: Schema, reader: SchemaReader): Schema {
  if (!isRecord(schema)) return schema;
  const inside = closeWithin(schema, reader) as Json;
  return isClosed(schema, reader) ? { ...inside, unevaluatedProperties: false } : inside;
}

/** Closes the schemas of fields and items. A part of `allOf` names only some of the fields, and stays open. */
function closeWithin(value: unknown, reader: SchemaReader): unknown {
  const close = (schema: unknown) => isSchema(schema) ? closeSchema(schema, reader) : schema;
  return mapKeywords(value, (keyword, inner, schema) => {
    if (keyword === "properties" && isRecord(inner)) {
      const fields = Object.entries(inner).map(([name, schema]) => [name, close(schema)]);
      return Object.fromEntries(fields);
    }
    if (keyword === "items" || keyword === "additionalProperties") return close(inner);
    const hasAlternatives = /^(?:anyOf|oneOf|prefixItems)$/.test(keyword);
    return hasAlternatives && Array.isArray(inner) && !isRecord(schema.properties)
      ? inner.map(close)
      : closeWithin(inner, reader);
  });
}

function isClosed(schema: Schema, reader: SchemaReader): boolean {
  const parts = schemaParts(schema, reader, new Set());
  return parts.some(({ properties }) => properties !== undefined) &&
    !parts.some((part) => OPEN.some((keyword) => part[keyword] !== undefined));
}

const OPEN = ["additionalProperties", "unevaluatedProperties", "patternProperties"];

function schemaParts(
  schema: unknown,
  reader: SchemaReader,
  seen: ReadonlySet<unknown>,
): readonly Readonly<Json>[] {
  if (!isRecord(schema) || seen.has(schema)) return [];
  const known = new Set([...seen, schema]);
  const target = typeof schema.$ref === "string" ? reader.resolve(schema.$ref) : undefined;
  const all = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [schema, ...[target, ...all].flatMap((part) => schemaParts(part, reader, known))];
}
