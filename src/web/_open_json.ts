import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { BYTES, first, type OpenPart, under } from "./_open_part.ts";
import type { Direction, JsonSchema } from "./json_schema.ts";

/** Whether it gives a JSON Schema of itself. */
export function saysJson(schema: StandardSchemaV1): boolean {
  return jsonOf(schema, "output") !== undefined;
}

/** Where a schema gives what it does not name, by its JSON Schema. */
export function openJson(schema: StandardSchemaV1): OpenPart | undefined {
  const json = jsonOf(schema, "output") ?? {};
  const found = search(json, "", isOpen) ?? first(
    morphInputs(schema).map((part) => () => {
      return search(jsonOf(part, "output"), "", isOpen);
    }),
  );
  if (found !== undefined || Object.keys(json).some((key) => key !== "$schema")) return found;
  // What a transformation gives is unknown: then what it takes has to say that it lets keys pass.
  return search(jsonOf(schema, "input") ?? {}, "", saysOpen);
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
    proto === undefined || BYTES.has(proto) ? base : { ...base, [OPAQUE]: true };
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

type Verdict = (json: JsonSchema) => boolean;

/** An object that names properties, or none and takes any; a dictionary names none, and has a schema for all. */
function isOpen(json: JsonSchema): boolean {
  const { type, properties, additionalProperties, unevaluatedProperties } = json;
  if (additionalProperties === false || unevaluatedProperties === false) return false;
  if (properties !== undefined) return true;
  return type === "object" && additionalProperties === undefined &&
    json.patternProperties === undefined && json.propertyNames === undefined;
}

function saysOpen(json: JsonSchema): boolean {
  return json.properties !== undefined && json.additionalProperties !== undefined && isOpen(json);
}

function search(json: unknown, pointer: string, verdict: Verdict): OpenPart | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  if (Array.isArray(json)) {
    return first(json.map((part) => () => search(part, pointer, verdict)));
  }
  const schema = json as JsonSchema;
  if (schema[OPAQUE]) return { pointer, is: "opaque" };
  if (verdict(schema) || isOpenedBy(schema.allOf)) return { pointer, is: "open" };
  const properties = Object.entries(schema.properties ?? {});
  const parts = ["anyOf", "oneOf", "allOf", "if", "then", "else"].map((key) => schema[key]);
  const items = ["items", "prefixItems", "additionalProperties"].map((key) => schema[key]);
  const patterns = Object.values(schema.patternProperties ?? {});
  // References point here, and are not followed: each definition is looked at once.
  const definitions = Object.values(schema.$defs ?? {});
  return first([
    ...properties.map(([key, part]) => () => search(part, under(pointer, key), verdict)),
    ...[...items, ...patterns].map((part) => () => search(part, `${pointer}/*`, verdict)),
    ...[...parts, ...definitions].map((part) => () => search(part, pointer, verdict)),
  ]);
}

/** Both sides of an intersection give their keys: a dictionary gives those that the object does not name. */
function isOpenedBy(parts: unknown): boolean {
  if (!Array.isArray(parts)) return false;
  return parts.some((part: JsonSchema) => part.properties !== undefined) &&
    parts.some(({ properties, propertyNames, additionalProperties }: JsonSchema) =>
      properties === undefined && propertyNames !== undefined && additionalProperties !== false
    );
}
