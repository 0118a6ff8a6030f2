import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type ArkTypePart,
  type JsonSchema,
  resolveReference,
  standardJson,
} from "./json_schema.ts";
import { compositeOf, modelSchema } from "./model.ts";
import {
  type AdditionalProperties,
  type Direction,
  first,
  isSentWhole,
  pointerTo,
  type Reader,
  readOnce,
  type SchemaPart,
} from "./part.ts";
import { readValibot } from "./valibot.ts";
import { readZod } from "./zod.ts";

const KNOWN = new WeakMap<StandardSchemaV1, { readonly found?: AdditionalProperties }>();

/** The first part of a schema whose output may have members that it does not name. */
export function additionalPropertiesOf(type: StandardSchemaV1): AdditionalProperties | undefined {
  const schema = modelSchema(type) ?? type;
  const known = KNOWN.get(schema) ?? { found: search(schema) };
  KNOWN.set(schema, known);
  return known.found;
}

function search(schema: StandardSchemaV1): AdditionalProperties | undefined {
  const around = compositeOf(schema);
  if (around) {
    const inner = additionalPropertiesOf(around.part);
    return inner && { ...inner, pointer: `${around.pointer}${inner.pointer}` };
  }
  const read: Reader = (part) => readZod(part, "output") ?? readValibot(part, "output");
  if (read(schema)) return searchParts(schema, read);
  const json = jsonOf(schema, "output");
  return json ? additionalInJson(schema, json) : { pointer: "", reason: "hasNoJsonSchema" };
}

function searchParts(
  schema: unknown,
  read: Reader,
  pointer = "",
  seen: Set<unknown> = new Set(),
): AdditionalProperties | undefined {
  const { kind = "", parts = [], options = [], reason } = readOnce(schema, read, seen) ?? {};
  if (reason !== undefined) return { pointer, reason };
  // Each part of an intersection returns the members that it names.
  const isLoose = kind.startsWith("intersect") &&
    areLoose(sameValue(parts).map((part) => kindsOf(part, read)));
  if (isLoose) return { pointer, reason: "allowsUnknownKeys" };
  const all = [...parts, ...options.map((option) => [undefined, option] as const)];
  return first(all, ([key, part]) => searchParts(part, read, pointerTo(pointer, key), seen));
}

function kindsOf(
  schema: unknown,
  read: Reader,
  seen: Set<unknown> = new Set(),
): readonly string[] {
  const part = readOnce(schema, read, seen);
  if (part === undefined) return [];
  const { kind = "unknown", parts = [], options = [] } = part;
  if (STRUCTURES.has(kind)) return [kind];
  const same = [...sameValue(parts), ...options];
  return same.length === 0 ? [kind] : same.flatMap((part) => kindsOf(part, read, seen));
}

function sameValue(parts: NonNullable<SchemaPart["parts"]>): readonly unknown[] {
  return parts.filter(([key]) => key === undefined).map(([, part]) => part);
}

function areLoose(parts: readonly (readonly string[])[]): boolean {
  return parts.some((kinds, index) => {
    const others = parts.filter((_, other) => other !== index).flat();
    return kinds.includes("object") && others.includes("record") ||
      kinds.some((kind) => STRUCTURES.has(kind)) && others.some((kind) => ANYTHING.has(kind));
  });
}

const STRUCTURES = new Set(["object", "record", "array", "tuple", "map", "set"]);
const ANYTHING = new Set(["any", "unknown", "custom", "transform"]);

function additionalInJson(
  schema: StandardSchemaV1,
  json: JsonSchema,
): AdditionalProperties | undefined {
  const found = searchJson(json, allowsUnknownKeys) ??
    first(morphInputs(schema), (part) => searchJson(jsonOf(part, "output"), allowsUnknownKeys));
  if (found !== undefined || Object.keys(json).some((key) => key !== "$schema")) return found;
  // The output of a transformation is unknown, so that only an explicit input schema counts.
  return searchJson(jsonOf(schema, "input"), declaresUnknownKeys);
}

/** Inputs of functions of ArkType whose output is not declared: the functions may return them unchanged. */
function morphInputs(schema: StandardSchemaV1): readonly StandardSchemaV1[] {
  const { select } = schema as Partial<Selectable>;
  if (schema["~standard"].vendor !== "arktype" || typeof select !== "function") return [];
  return select.call(schema, "morph").filter(({ inner }) => {
    const last = inner.morphs.at(-1);
    const isSchema = typeof last === "object" || typeof last === "function" && "~standard" in last;
    return inner.declaredOut === undefined && !isSchema;
  }).map(({ inner }) => inner.in);
}

interface Selectable {
  select(kind: "morph"): readonly { readonly inner: Morph }[];
}

interface Morph {
  /** Unlike `in` of a schema, it says whether keys are deleted. */
  readonly in: StandardSchemaV1;
  readonly declaredOut?: unknown;
  readonly morphs: readonly unknown[];
}

const OPAQUE = "x-irori-opaque";

function jsonOf(schema: StandardSchemaV1, direction: Direction): JsonSchema | undefined {
  const fallback = ({ base, proto }: ArkTypePart) =>
    proto === undefined || isSentWhole(proto) ? base : { ...base, [OPAQUE]: true };
  return standardJson(schema, direction, { fallback });
}

type Verdict = (json: JsonSchema, closed: boolean) => boolean;

/** Whether an object names properties, or none, and takes others. A dictionary has one schema for all its members. */
function allowsUnknownKeys(json: JsonSchema, closed: boolean): boolean {
  const { type, properties, patternProperties, additionalProperties, propertyNames } = json;
  const patterns = Object.keys(patternProperties ?? {});
  if (properties !== undefined && patterns.some(matchesUnknownKeys)) return true;
  const others = additionalProperties ?? json.unevaluatedProperties;
  if (others === false) return false;
  if (closed) return others !== undefined;
  if (properties !== undefined) return true;
  return [type].flat().includes("object") && others === undefined && propertyNames === undefined;
}

function declaresUnknownKeys(json: JsonSchema, closed: boolean): boolean {
  return json.properties !== undefined && json.additionalProperties !== undefined &&
    allowsUnknownKeys(json, closed);
}

/** Whether a pattern for keys matches a key that the author of the schema hardly thought of. */
function matchesUnknownKeys(pattern: string): boolean {
  try {
    const keys = new RegExp(pattern, "u");
    return ["unnamed", "unnamedKey", "UNNAMED", "unnamed-key", "0"].some((key) => keys.test(key));
  } catch {
    return true;
  }
}

/** Both sides of an intersection return their members: a dictionary those that the object does not name. */
function isObjectWithDictionary(parts: unknown): boolean {
  if (!Array.isArray(parts)) return false;
  return parts.some((part: JsonSchema) => part.properties !== undefined) &&
    parts.some(({ properties, propertyNames, additionalProperties }: JsonSchema) =>
      properties === undefined && propertyNames !== undefined && additionalProperties !== false
    );
}

function isUndescribed(json: JsonSchema): boolean {
  if (json.$dynamicRef !== undefined || json.$recursiveRef !== undefined) return true;
  const { items, contains, prefixItems, not, unevaluatedItems } = json;
  if ((contains ?? prefixItems) !== undefined && (items ?? unevaluatedItems) === undefined) {
    return true;
  }
  const isNever = not === true || Object.keys(not ?? {}).length === 0;
  return not !== undefined && !isNever && !DESCRIBING.some((key) => json[key] !== undefined);
}

const DESCRIBING = ["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "properties"];
const INNER = "items prefixItems unevaluatedItems additionalProperties unevaluatedProperties"
  .split(" ");
const SAME = ["anyOf", "oneOf", "allOf", "if", "then", "else"];

function searchJson(
  root: JsonSchema | undefined,
  verdict: Verdict,
): AdditionalProperties | undefined {
  const known = new Map<unknown, Set<boolean>>();
  return search(root, "", false, []);

  function search(
    json: unknown,
    pointer: string,
    closed: boolean,
    around: readonly unknown[],
  ): AdditionalProperties | undefined {
    if (typeof json !== "object" || json === null) return undefined;
    if (Array.isArray(json)) return first(json, (part) => search(part, pointer, closed, around));
    const schema = json as JsonSchema;
    const isOpaque = schema[OPAQUE] || isUndescribed(schema) || around.includes(schema);
    if (isOpaque) return { pointer, reason: "isOpaque" };
    const seen = known.get(schema) ?? new Set();
    if (seen.has(closed)) return undefined;
    known.set(schema, seen.add(closed));
    const { $ref, allOf, unevaluatedProperties } = schema;
    if (verdict(schema, closed) || isObjectWithDictionary(allOf)) {
      return { pointer, reason: "allowsUnknownKeys" };
    }
    const target = resolveReference(root, String($ref));
    if ($ref !== undefined && target === undefined) return { pointer, reason: "isOpaque" };
    const same = [...SAME.map((key) => schema[key]), target];
    const isClosed = closed || unevaluatedProperties === false;
    return first(
      membersOf(schema),
      ([key, part]) => search(part, pointerTo(pointer, key), false, []),
    ) ?? first(same, (part) => search(part, pointer, isClosed, [...around, schema]));
  }
}

function membersOf(json: JsonSchema): readonly (readonly [key: string, part: unknown])[] {
  const inner = [...INNER.map((key) => json[key]), ...Object.values(json.patternProperties ?? {})];
  return [...Object.entries(json.properties ?? {}), ...inner.map((part) => ["*", part] as const)];
}
