import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { decodeLeniently, nameOfToken } from "../text/mod.ts";
import type { Direction, SchemaPart } from "./part.ts";

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Record<string, unknown>;

/** A schema that takes every value, for a description by this JSON Schema. */
export function describedAs(json: JsonSchema): StandardSchemaV1 & StandardJSONSchemaV1 {
  const jsonSchema = { input: () => json, output: () => json };
  const validate = (value: unknown) => ({ value });
  return { "~standard": { version: 1, vendor: "irori", validate, jsonSchema } };
}

/**
 * The JSON Schema of a schema (https://standardschema.dev/json-schema), or `undefined`. A date is a text marked by
 * {@linkcode DATE_MARK}; what JSON Schema cannot express is any value.
 *
 * @param failed called with the error of the library
 */
export function jsonSchemaOf(
  schema: StandardSchemaV1,
  direction: Direction,
  describe?: (part: unknown, json: JsonSchema) => void,
  failed?: (error: unknown) => void,
): JsonSchema | undefined {
  return standardJson(schema, direction, {
    // Zod throws for what JSON cannot hold unless this is set.
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }: ZodPart) {
      const { type, innerType } = zodSchema._zod.def;
      if (type === "date") Object.assign(jsonSchema, DATE_TIME);
      // A member that handlers must not change is sent all the same, unlike one that is `readOnly` (OpenAPI 3.1, 4.8.24.1).
      const isDeclared = [zodSchema, innerType].some((part) => metaOf(part)?.readOnly);
      if (type === "readonly" && !isDeclared) delete jsonSchema.readOnly;
      describe?.(zodSchema, jsonSchema);
    },
    fallback: ({ code, base }: ArkTypePart) => code === "date" ? { ...base, ...DATE_TIME } : base,
  }, failed);
}

interface ZodPart {
  readonly zodSchema: {
    readonly _zod: { readonly def: { readonly type: string; readonly innerType?: unknown } };
  };
  readonly jsonSchema: JsonSchema;
}

/** The declaration by `.meta()` of Zod. */
export function metaOf(part: unknown): JsonSchema | undefined {
  const { meta } = Object(part);
  return typeof meta === "function" ? meta.call(part) : undefined;
}

export interface ArkTypePart {
  readonly code: string;
  readonly base: JsonSchema;
  readonly domain?: string;
  readonly proto?: { readonly name?: string };
}

/** Marks a `Date`: it is sent as JSON, unlike a text of the same format. */
export const DATE_MARK = "x-irori-date";

const DATE_TIME: JsonSchema = { type: "string", format: "date-time", [DATE_MARK]: true };

/** The result of `~standard.jsonSchema`, which ArkType and Zod 4.2 have. */
export function standardJson(
  schema: StandardSchemaV1,
  direction: Direction,
  libraryOptions: Record<string, unknown>,
  failed?: (error: unknown) => void,
): JsonSchema | undefined {
  const { jsonSchema } = schema["~standard"] as Partial<StandardJSONSchemaV1["~standard"]>;
  try {
    return jsonSchema?.[direction]({ target: "draft-2020-12", libraryOptions });
  } catch (error) {
    failed?.(error);
    return undefined; // The interface throws for what JSON Schema cannot express.
  }
}

export const KIND_MARK = "x-irori-kind";

export function readJsonSchema(schema: unknown): SchemaPart | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const { properties, items, additionalProperties, ...rest } = schema as JsonSchema;
  const [options, prefixItems, allOf] = [rest.anyOf ?? rest.oneOf, rest.prefixItems, rest.allOf]
    .map((list) => Array.isArray(list) ? list : []);
  return {
    kind: rest.const === null ? "null" : String(rest[KIND_MARK] ?? rest.type),
    options,
    parts: [
      ...Object.entries(properties ?? {}),
      ...[items, additionalProperties, ...prefixItems!].map((part) => ["*", part] as const),
      ...allOf!.map((part) => [undefined, part] as const),
    ],
  };
}

/** Follows a reference within a document (RFC 6901, 6); `undefined` where it leads nowhere. */
export function resolveReference(root: unknown, reference: string): unknown {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  let target = root;
  for (const token of reference.split("/").slice(1)) {
    if (typeof target !== "object" || target === null) return undefined;
    const key = nameOfToken(decodeLeniently(token));
    target = Object.hasOwn(target, key) ? (target as JsonSchema)[key] : undefined;
  }
  return target;
}
