import type { StandardSchemaV1 } from "@standard-schema/spec";
import { MappingError } from "./errors.ts";
import { type JsonSchema, jsonSchemaOf } from "./json_schema.ts";
import { modelSchema } from "./model.ts";

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
  const { vendor } = schema["~standard"];
  const where = pointer === "" ? "" : ` at '${pointer}'`;
  throw new MappingError(
    `Cannot map '${label}': the schema of '${option}' lets keys pass${where} that it does not name, ` +
      `and they would be sent; expected one that strips them${ADVICE[vendor] ?? ""}`,
    [label],
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  arktype: `, such as type({ … }).onDeepUndeclaredKey("delete")`,
  valibot: ", such as v.object({ … }) in place of v.looseObject() and v.objectWithRest()",
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
  const json = jsonSchemaOf(schema, "output");
  if (json === undefined) return isValibot(schema) ? openValibot(schema, "") : openByTrial(schema);
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
  if (verdict(schema)) return pointer;
  const properties = Object.entries(schema.properties ?? {});
  const parts = ["anyOf", "oneOf", "allOf", "if", "then", "else"].map((key) => schema[key]);
  const items = ["items", "prefixItems", "additionalProperties"].map((key) => schema[key]);
  const patterns = Object.values(schema.patternProperties ?? {});
  // References point here, and are not followed: each definition is looked at once.
  const definitions = Object.values(schema.$defs ?? {});
  return first([
    ...properties.map(([key, part]) => () => openJson(part, `${pointer}/${escaped(key)}`, verdict)),
    ...[...items, ...patterns].map((part) => () => openJson(part, `${pointer}/*`, verdict)),
    ...[...parts, ...definitions].map((part) => () => openJson(part, pointer, verdict)),
  ]);
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
  const { type, kind, entries, items, item, rest, options, value, wrapped, pipe } =
    schema as Record<
      string,
      unknown
    >;
  if (kind !== "schema") return undefined;
  seen.add(schema);
  const inner = (part: unknown, key?: string) => () =>
    openValibot(part, key === undefined ? pointer : `${pointer}/${escaped(key)}`, seen);
  const schemas = (Array.isArray(pipe) ? pipe.slice(1) : []).filter(({ kind }) =>
    kind === "schema"
  );
  // What comes later in a pipe is what is given.
  if (schemas.length > 0) return inner(schemas.at(-1))();
  if (type === "loose_object" || type === "object_with_rest") return pointer;
  return first([
    ...Object.entries(entries ?? {}).map(([key, part]) => inner(part, key)),
    ...[item, rest, value, ...Array.isArray(items) ? items : []].map((part) => inner(part, "*")),
    ...Array.isArray(options) ? options.map((part) => inner(part)) : [],
    inner(wrapped),
  ]);
}

/** A key that nobody names, where the schema takes an object without any other. */
function openByTrial({ "~standard": { validate } }: StandardSchemaV1): string | undefined {
  try {
    const result = validate({ [TRIAL]: true });
    if (result instanceof Promise) result.catch(() => {});
    else if (!result.issues && TRIAL in Object(result.value)) return "";
  } catch {
    // It asks for more than that.
  }
  return undefined;
}

const TRIAL = "a key of no schema";

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function first(searches: readonly (() => string | undefined)[]): string | undefined {
  for (const search of searches) {
    const pointer = search();
    if (pointer !== undefined) return pointer;
  }
  return undefined;
}
