import type { StandardSchemaV1 } from "@standard-schema/spec";
import { compositeOf, vendorOf } from "./composite.ts";
import { MappingError } from "./errors.ts";
import { type JsonSchema, jsonSchemaOf } from "./json_schema.ts";
import { modelSchema } from "./model.ts";
import { validatorOf } from "./schema.ts";
import { pointerToken, zodDefinition, zodParts } from "../text/mod.ts";

/**
 * Refuses a schema of answers that lets keys pass that it does not name, as they would be sent. Asks its JSON Schema,
 * where there is one; else the schema itself.
 *
 * @param option of the mapping
 * @param label of the handler
 * @throws {MappingError}
 */
export function refuseUnknownKeys(
  type: StandardSchemaV1,
  option: "returns" | "problems",
  label: string,
): void {
  const schema = modelSchema(type) ?? type;
  const pointer = openKeys(schema);
  if (pointer === undefined) return;
  const vendor = vendorOf(schema);
  const where = pointer === "" ? "" : ` at '${pointer}'`;
  throw new MappingError(
    `Cannot map '${label}': the schema of '${option}' lets keys pass${where} that it does not name, ` +
      `and they would be sent; expected one that strips them${ADVICE[vendor] ?? ""}`,
    [label],
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  arktype: `, such as type({ … }).onDeepUndeclaredKey("delete")`,
  valibot:
    ", such as v.object({ … }) in place of v.looseObject() and v.objectWithRest(), v.tuple() in place of v.looseTuple()",
  zod:
    ", such as z.object({ … }) in place of z.looseObject(), .loose(), .passthrough() and .catchall()",
};

/** One schema often stands for many routes. */
const KNOWN = new WeakMap<StandardSchemaV1, { readonly pointer?: string }>();

/** Where the schema lets keys pass, as a pointer with `*` for any item. */
function openKeys(schema: StandardSchemaV1): string | undefined {
  const known = KNOWN.get(schema);
  if (known) return known.pointer;
  const pointer = openKeysOf(schema);
  KNOWN.set(schema, { pointer });
  return pointer;
}

function openKeysOf(schema: StandardSchemaV1): string | undefined {
  const around = compositeOf(schema);
  if (around) {
    const inner = openKeys(modelSchema(around.part) ?? around.part);
    return inner === undefined ? undefined : `${around.pointer}${inner}`;
  }
  const json = jsonSchemaOf(schema, "output");
  if (json === undefined) {
    if (zodDefinition(schema)) return openZod(schema, "");
    return isValibot(schema) ? openValibot(schema, "") : openByTrial(schema);
  }
  const pointer = openJson(json, "", isOpen);
  if (pointer !== undefined || Object.keys(json).some((key) => key !== "$schema")) return pointer;
  // What a transformation gives is unknown: then what it takes has to say that it lets keys pass.
  return openJson(jsonSchemaOf(schema, "input") ?? {}, "", saysOpen);
}

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

function openJson(json: unknown, pointer: string, verdict: Verdict): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  if (Array.isArray(json)) {
    return first(json.map((part) => () => openJson(part, pointer, verdict)));
  }
  const schema = json as JsonSchema;
  if (verdict(schema) || isOpenedBy(schema.allOf)) return pointer;
  const properties = Object.entries(schema.properties ?? {});
  const parts = ["anyOf", "oneOf", "allOf", "if", "then", "else"].map((key) => schema[key]);
  const items = ["items", "prefixItems", "additionalProperties"].map((key) => schema[key]);
  const patterns = Object.values(schema.patternProperties ?? {});
  // References point here, and are not followed: each definition is looked at once.
  const definitions = Object.values(schema.$defs ?? {});
  return first([
    ...properties.map(([key, part]) => () =>
      openJson(part, `${pointer}/${pointerToken(key)}`, verdict)
    ),
    ...[...items, ...patterns].map((part) => () => openJson(part, `${pointer}/*`, verdict)),
    ...[...parts, ...definitions].map((part) => () => openJson(part, pointer, verdict)),
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

/** Zod 3 and `zod/mini` give no JSON Schema. */
function openZod(
  schema: unknown,
  pointer: string,
  seen: Set<unknown> = new Set(),
): string | undefined {
  const definition = zodDefinition(schema);
  if (definition === undefined || seen.has(schema)) return undefined;
  seen.add(schema);
  const { catchall, unknownKeys, left, right, out } = definition;
  const kinds = [left, right].map(zodKind);
  if (unknownKeys === "passthrough" || !["undefined", "never"].includes(zodKind(catchall))) {
    return pointer;
  }
  if (kinds.includes("object") && kinds.includes("record")) return pointer;
  // What comes later in a pipe is what is given, unless that cannot be told.
  if (out && zodKind(out) !== "transform") return openZod(out, pointer, seen);
  return first(
    zodParts(definition).map(([key, part]) => () =>
      openZod(part, key === undefined ? pointer : `${pointer}/${pointerToken(key)}`, seen)
    ),
  );
}

/** Such as `object`. */
function zodKind(schema: unknown): string {
  const { type, typeName } = zodDefinition(schema) ?? {};
  return String(typeName ?? type).replace(/^Zod/, "").toLowerCase();
}

function isValibot(schema: object): boolean {
  return "kind" in schema && schema.kind === "schema";
}

/** Valibot's schemas are plain objects, which say what they are. */
function openValibot(
  schema: unknown,
  pointer: string,
  seen: Set<unknown> = new Set(),
): string | undefined {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return undefined;
  const { type, kind, entries, items, item, rest, options, value, wrapped, pipe, getter } =
    schema as Record<
      string,
      unknown
    >;
  // A getter may make a new one each time.
  if (kind !== "schema" || seen.size > MOST_PARTS) return undefined;
  seen.add(schema);
  const inner = (part: unknown, key?: string) => () =>
    openValibot(part, key === undefined ? pointer : `${pointer}/${pointerToken(key)}`, seen);
  const schemas = (Array.isArray(pipe) ? pipe.slice(1) : []).filter(({ kind }) =>
    kind === "schema"
  );
  // What comes later in a pipe is what is given.
  if (schemas.length > 0) return inner(schemas.at(-1))();
  if (type === "loose_object" || type === "object_with_rest" || type === "loose_tuple") {
    return pointer;
  }
  const kinds = type === "intersect" && Array.isArray(options)
    ? options.map(({ type }) => type)
    : [];
  if (kinds.includes("record") && kinds.some((kind) => /object$/.test(kind))) return pointer;
  return first([
    ...Object.entries(entries ?? {}).map(([key, part]) => inner(part, key)),
    ...[item, rest, value, ...Array.isArray(items) ? items : []].map((part) => inner(part, "*")),
    ...Array.isArray(options) ? options.map((part) => inner(part)) : [],
    inner(wrapped),
    ...typeof getter === "function"
      ? [() => inner(readValibot(getter as (value: unknown) => unknown))()]
      : [],
  ]);
}

const MOST_PARTS = 1000;

/** Of `lazy` and `lazyAsync`, which may choose by the value: then by none. */
function readValibot(getter: (value: unknown) => unknown): unknown {
  try {
    return getter(undefined);
  } catch {
    return undefined;
  }
}

/** A key that nobody names, where the schema takes an object without any other. */
function openByTrial(schema: StandardSchemaV1): string | undefined {
  try {
    const result = validatorOf(schema)({ [TRIAL]: true });
    if (result instanceof Promise) result.catch(() => {});
    else if (!result.issues && TRIAL in Object(result.value)) return "";
  } catch {
    // It asks for more than that.
  }
  return undefined;
}

const TRIAL = "a key of no schema";

function first(searches: readonly (() => string | undefined)[]): string | undefined {
  for (const search of searches) {
    const pointer = search();
    if (pointer !== undefined) return pointer;
  }
  return undefined;
}
