import { ANNOTATIONS, isRecord, type Schema, type SchemaReader } from "../contract/reader.ts";
import type { OutputUnit } from "@cfworker/json-schema";
import { notInstalled } from "../../runtime/mod.ts";
import { patternOf } from "../../text/mod.ts";

export type SchemaChecks = Awaited<ReturnType<typeof schemaChecks>>;

/** @throws {PackageNotFoundError} when `@cfworker/json-schema` is not installed */
export async function schemaChecks(reader: SchemaReader) {
  const { Validator } = await import("@cfworker/json-schema")
    .catch(notInstalled("@cfworker/json-schema"));
  const [ofRequest, ofResponse] = [false, true].map((isResponse) => {
    const { inside, whole } = preparation(reader, isResponse);
    const components = inside((reader.document as Json).components);
    const validators = new Map<string, InstanceType<typeof Validator>>();
    const validatorOf = (schema: Schema) => {
      const part = typeof schema !== "boolean" ? whole(schema) : schema ? {} : { not: {} };
      return new Validator({ components, allOf: [part] } as Json, "2020-12", false);
    };
    return (schema: Schema, value: unknown) => {
      const key = JSON.stringify(schema);
      const validator = validators.get(key) ?? validatorOf(schema);
      validators.set(key, validator);
      return validator.validate(value);
    };
  });
  return {
    reader,
    fits: (schema: Schema, value: unknown) => ofRequest!(schema, value).valid,
    /** The misfits of a value, including fields that an object schema does not name, as clients do not know them. */
    problems(schema: Schema, value: unknown): readonly string[] {
      const { valid, errors } = ofResponse!(schema, value);
      return valid ? [] : textsOf(errors);
    },
  };
}

type Json = Record<string, unknown>;

/** Writes schemas for the validator, and closes those of fields and items in responses. */
function preparation(reader: SchemaReader, isResponse: boolean) {
  /** With a pattern that the validator cannot read no request is valid, and every response is. */
  const readable = (pattern: string) => {
    const expression = patternOf(pattern);
    return expression?.unicode ? expression.source : isResponse ? "" : "(?!)";
  };
  const whole = (schema: unknown): unknown => {
    const isOpen = !isResponse || !isRecord(schema) || !isClosed(schema, reader);
    return isOpen ? inside(schema) : { ...inside(schema) as Json, unevaluatedProperties: false };
  };
  const inside = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(inside);
    if (!isRecord(schema)) return schema;
    return mapEntries(schema, (keyword, inner) => [keyword, keywordOf(keyword, inner, schema)]);
  };
  const keywordOf = (keyword: string, inner: unknown, schema: Readonly<Json>): unknown => {
    if (ANNOTATIONS.has(keyword) || keyword === "const" || keyword === "enum") return inner;
    if (keyword === "pattern" && typeof inner === "string") return readable(inner);
    if (keyword === "items" || keyword === "additionalProperties") return whole(inner);
    if (keyword === "properties" && isRecord(inner)) {
      return mapEntries(inner, (name, field) => [name, whole(field)]);
    }
    if (keyword === "patternProperties" && isRecord(inner)) {
      return mapEntries(inner, (pattern, field) => [readable(pattern), inside(field)]);
    }
    // A part of `allOf` names only some of the fields, and stays open.
    const hasAlternatives = /^(?:anyOf|oneOf|prefixItems)$/.test(keyword);
    return hasAlternatives && Array.isArray(inner) && !isRecord(schema.properties)
      ? inner.map(whole)
      : inside(inner);
  };
  return { inside, whole };
}

function mapEntries(
  value: Readonly<Json>,
  change: (key: string, inner: unknown) => readonly [key: string, inner: unknown],
): Json {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => change(key, inner)));
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
