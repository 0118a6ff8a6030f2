import type { StandardSchemaV1 } from "@standard-schema/spec";
import { additionalInJson, givesJsonSchema } from "./json_properties.ts";
import { compositeOf, modelSchema } from "./model.ts";
import {
  type AdditionalProperties,
  first,
  MOST_PARTS,
  type Part,
  pointerTo,
  type Reader,
} from "./part.ts";
import { isValibot, readValibot } from "./valibot.ts";
import { readZod, zodDefinition } from "./zod.ts";

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
  if (zodDefinition(schema)) return searchParts(schema, (part) => readZod(part, "output"));
  if (isValibot(schema)) return searchParts(schema, (part) => readValibot(part, "output"));
  return givesJsonSchema(schema)
    ? additionalInJson(schema)
    : { pointer: "", reason: "hasNoJsonSchema" };
}

function searchParts(
  schema: unknown,
  read: Reader,
  pointer = "",
  seen: Set<unknown> = new Set(),
): AdditionalProperties | undefined {
  if (seen.has(schema) || seen.size > MOST_PARTS) return undefined;
  seen.add(schema);
  const { kind = "", parts = [], options = [], reason } = read(schema) ?? {};
  if (reason !== undefined) return { pointer, reason };
  // Each part of an intersection returns the members that it names.
  const isLoose = kind.startsWith("intersect") &&
    areLoose(sameValue(parts).map((part) => kindsOf(part, read)));
  if (isLoose) return { pointer, reason: "allowsUnknownKeys" };
  const all = [...parts, ...options.map((option) => [undefined, option] as const)];
  return first(
    all.map(([key, part]) => () => searchParts(part, read, pointerTo(pointer, key), seen)),
  );
}

function kindsOf(
  schema: unknown,
  read: Reader,
  seen: Set<unknown> = new Set(),
): readonly string[] {
  if (seen.has(schema) || seen.size > MOST_PARTS) return [];
  seen.add(schema);
  const { kind = "unknown", parts = [], options = [] } = read(schema) ?? {};
  if (STRUCTURES.has(kind)) return [kind];
  const same = [...sameValue(parts), ...options];
  return same.length === 0 ? [kind] : same.flatMap((part) => kindsOf(part, read, seen));
}

function sameValue(parts: NonNullable<Part["parts"]>): readonly unknown[] {
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
