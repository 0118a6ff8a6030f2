import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { nameOfToken } from "../text/mod.ts";
import { first, isOfBytes, under } from "./_open_part.ts";
import type { AdditionalProperties } from "./additional_properties.ts";
import type { Direction, JsonSchema } from "./json_schema.ts";

/** Whether it gives a JSON Schema of itself. */
export function saysJson(schema: StandardSchemaV1): boolean {
  return jsonOf(schema, "output") !== undefined;
}

/** Where a schema gives what it does not name, by its JSON Schema. */
export function openJson(schema: StandardSchemaV1): AdditionalProperties | undefined {
  const json = jsonOf(schema, "output") ?? {};
  const found = searchAll(json, isOpen) ?? first(
    morphInputs(schema).map((part) => () => {
      return searchAll(jsonOf(part, "output"), isOpen);
    }),
  );
  if (found !== undefined || Object.keys(json).some((key) => key !== "$schema")) return found;
  // What a transformation gives is unknown: then what it takes has to say that it lets keys pass.
  return searchAll(jsonOf(schema, "input"), saysOpen);
}

/** What ArkType hands to functions of which it does not know what they give: it is sent, if they hand it on. */
function morphInputs(schema: StandardSchemaV1): readonly StandardSchemaV1[] {
  const { select } = schema as Partial<Selectable>;
  if (schema["~standard"].vendor !== "arktype" || typeof select !== "function") return [];
  return select.call(schema, "morph").filter(({ inner }) =>
    inner.declaredOut === undefined && !isSchema(inner.morphs.at(-1))
  ).map(({ inner }) => inner.in);
}

function isSchema(morph: unknown): boolean {
  return typeof morph === "object" || typeof morph === "function" && "~standard" in morph;
}

interface Selectable {
  select(kind: "morph"): readonly { readonly inner: Morph }[];
}

interface Morph {
  /** Unlike `in` of a schema, it says whether keys are deleted. */
  readonly in: StandardSchemaV1;
  readonly declaredOut?: unknown;
  /** Functions, and schemas. */
  readonly morphs: readonly unknown[];
}

/** With a mark at what ArkType takes by its class alone. */
function jsonOf(schema: StandardSchemaV1, direction: Direction): JsonSchema | undefined {
  const { jsonSchema } = schema["~standard"] as Partial<StandardJSONSchemaV1["~standard"]>;
  const fallback = ({ base, proto }: Fallback) =>
    proto === undefined || isOfBytes(proto) ? base : { ...base, [OPAQUE]: true };
  try {
    return jsonSchema?.[direction]({ target: "draft-2020-12", libraryOptions: { fallback } });
  } catch {
    return undefined; // The interface throws for what JSON Schema cannot say.
  }
}

interface Fallback {
  readonly base: JsonSchema;
  readonly proto?: unknown;
}

const OPAQUE = "x-irori-opaque";

/** @param closed by the `unevaluatedProperties` of a schema around it */
type Verdict = (json: JsonSchema, closed: boolean) => boolean;

/** An object that names properties, or none and takes any; a dictionary names none, and has a schema for all. */
function isOpen(json: JsonSchema, closed: boolean): boolean {
  const { type, properties, patternProperties, additionalProperties, propertyNames } = json;
  if (properties !== undefined && Object.keys(patternProperties ?? {}).some(takesAny)) return true;
  const others = additionalProperties ?? json.unevaluatedProperties;
  if (others === false) return false;
  if (closed) return others !== undefined;
  if (properties !== undefined) return true;
  return [type].flat().includes("object") && others === undefined && propertyNames === undefined;
}

/** Whether a pattern of keys takes those of which nobody thought. */
function takesAny(pattern: string): boolean {
  try {
    const keys = new RegExp(pattern, "u");
    return ["unnamed", "unnamedKey", "UNNAMED", "unnamed-key", "0"].some((key) => keys.test(key));
  } catch {
    return true;
  }
}

function saysOpen(json: JsonSchema, closed: boolean): boolean {
  return json.properties !== undefined && json.additionalProperties !== undefined &&
    isOpen(json, closed);
}

/** What only says what a value is not, or what some items are, leaves the rest unsaid. */
function isUnsaid(json: JsonSchema): boolean {
  if (json.$dynamicRef !== undefined || json.$recursiveRef !== undefined) return true;
  const { items, contains, prefixItems, not, unevaluatedItems } = json;
  if ((contains ?? prefixItems) !== undefined && (items ?? unevaluatedItems) === undefined) {
    return true;
  }
  const isNever = not === true || Object.keys(not ?? {}).length === 0;
  return not !== undefined && !isNever && !SAYING.some((key) => json[key] !== undefined);
}

const SAYING = ["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "properties"];

function searchAll(
  root: JsonSchema | undefined,
  verdict: Verdict,
): AdditionalProperties | undefined {
  const known = new Map<unknown, Set<boolean>>();

  /** @param around the schemas that stand for the same value: one that refers to them says nothing */
  function search(
    json: unknown,
    pointer: string,
    closed = false,
    around: readonly unknown[] = [],
  ): AdditionalProperties | undefined {
    if (typeof json !== "object" || json === null) return undefined;
    if (Array.isArray(json)) {
      return first(json.map((part) => () => search(part, pointer, closed, around)));
    }
    const schema = json as JsonSchema;
    if (schema[OPAQUE] || isUnsaid(schema) || around.includes(schema)) {
      return { pointer, reason: "isOpaque" };
    }
    const seen = known.get(schema) ?? new Set();
    if (seen.has(closed)) return undefined;
    known.set(schema, seen.add(closed));
    if (verdict(schema, closed) || isOpenedBy(schema.allOf)) {
      return { pointer, reason: "allowsUnknownKeys" };
    }
    const { $ref } = schema;
    const target = $ref === undefined ? undefined : resolved(root, $ref);
    if ($ref !== undefined && target === undefined) return { pointer, reason: "isOpaque" };
    const properties = Object.entries(schema.properties ?? {});
    const items = [
      "items",
      "prefixItems",
      "unevaluatedItems",
      "additionalProperties",
      "unevaluatedProperties",
    ];
    const patterns = Object.values(schema.patternProperties ?? {});
    const parts = ["anyOf", "oneOf", "allOf", "if", "then", "else"].map((key) => schema[key]);
    const isClosed = closed || schema.unevaluatedProperties === false;
    return first([
      ...properties.map(([key, part]) => () => search(part, under(pointer, key))),
      ...[...items.map((key) => schema[key]), ...patterns].map((part) => () =>
        search(part, `${pointer}/*`)
      ),
      ...[...parts, target].map((part) => () => {
        return search(part, pointer, isClosed, [...around, schema]);
      }),
    ]);
  }

  return search(root, "");
}

/** What a reference within a schema points to. */
function resolved(root: unknown, ref: unknown): unknown {
  if (typeof ref !== "string" || !/^#(\/|$)/.test(ref)) return undefined;
  let found = root;
  for (const token of ref.split("/").slice(1)) {
    if (typeof found !== "object" || found === null) return undefined;
    const key = nameOfToken(decodeURIComponent(token));
    found = Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found;
}

/** Both sides of an intersection give their keys: a dictionary gives those that the object does not name. */
function isOpenedBy(parts: unknown): boolean {
  if (!Array.isArray(parts)) return false;
  return parts.some((part: JsonSchema) => part.properties !== undefined) &&
    parts.some(({ properties, propertyNames, additionalProperties }: JsonSchema) =>
      properties === undefined && propertyNames !== undefined && additionalProperties !== false
    );
}
