import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { pointerToken } from "../text/mod.ts";
import type { JsonSchema } from "./json_schema.ts";
import { modelSchema } from "./model.ts";
import { zodDefinition, zodParts } from "./zod.ts";

/** What asks for it, and where: `*` stands for any item. */
interface Found {
  readonly kind: string;
  readonly pointer: string;
}

/** What values are sent in. */
export type Carrier = "JSON" | "text";

const COMMON = ["date", "bigint", "map", "set", "symbol", "nan"];

/** What they cannot be. Fields of forms may be files. */
const CARRIERS: { readonly [C in Carrier]: ReadonlySet<string> } = {
  JSON: new Set([...COMMON, "file", "blob"]),
  text: new Set([...COMMON, "number", "integer", "boolean"]),
};

type Schema = StandardSchemaV1;

/**
 * A part of a schema of requests that no value can be sent for. Looks at schemas of Zod, ArkType and Valibot; an
 * alternative that can be sent is enough, `null` excepted.
 */
export function unsendablePart(type: Schema, carrier: Carrier): Found | undefined {
  const beyond = CARRIERS[carrier];
  const schema = modelSchema(type) ?? type;
  const { vendor } = schema["~standard"];
  const search = (part: unknown, read: Reader) => ofParts(part, "", read, beyond, new Set());
  if (zodDefinition(schema)) return search(schema, zod);
  if (vendor === "valibot") return search(schema, valibot);
  return vendor === "arktype" ? search(arkJson(schema), json) : undefined;
}

/** What a schema says of itself. */
interface Said {
  /** Such as `date`. */
  readonly kind?: string;
  /** Whether it is nothing, or `null`: no alternative to something. */
  readonly isNothing?: boolean;
  /** All of these have to be taken. */
  readonly parts?: readonly (readonly [key: string | undefined, part: unknown])[];
  /** Of these, one. */
  readonly options?: readonly unknown[];
}

type Reader = (schema: unknown) => Said;

function ofParts(
  schema: unknown,
  pointer: string,
  read: Reader,
  beyond: ReadonlySet<string>,
  seen: Set<unknown>,
): Found | undefined {
  // A getter may make a new one each time.
  if (seen.has(schema) || seen.size > MOST_PARTS) return undefined;
  seen.add(schema);
  const { kind, parts = [], options = [] } = read(schema);
  if (kind !== undefined && beyond.has(kind)) return { kind, pointer };
  for (const [key, part] of parts) {
    const inner = key === undefined ? pointer : `${pointer}/${pointerToken(key)}`;
    const found = ofParts(part, inner, read, beyond, seen);
    if (found) return found;
  }
  const some = options.filter((option) => !read(option).isNothing);
  const found = some.map((option) => ofParts(option, pointer, read, beyond, new Set(seen)));
  return found.every((one) => one !== undefined) ? found[0] : undefined;
}

const MOST_PARTS = 1000;

const NOTHING = new Set(["null", "undefined", "void"]);

/** Of Zod 4, `zod/mini` and Zod 3. */
function zod(schema: unknown): Said {
  const definition = zodDefinition(schema);
  if (!definition) return {};
  const kind = String(definition.typeName ?? definition.type).replace(/^Zod/, "").toLowerCase();
  if (definition.coerce === true) return {};
  if (NOTHING.has(kind)) return { isNothing: true };
  const { effect } = definition as { readonly effect?: { readonly type?: string } };
  if (kind === "catch" || effect?.type === "preprocess") return {};
  if (/union$/.test(kind)) return { options: zodParts(definition).map(([, part]) => part) };
  if (/^pipe/.test(kind)) return { parts: [[undefined, definition.in]] };
  const { checks: _, keyType: __, catchall: ___, ...rest } = definition;
  return { kind, parts: zodParts({ ...rest, shape: definition.shape }) };
}

/** Its schemas are plain objects, which say what they are; a pipe has what its first schema has. */
function valibot(schema: unknown): Said {
  if (typeof schema !== "object" || schema === null || "fallback" in schema) return {};
  const { type, entries, items, item, rest, value, wrapped, options, getter } = schema as Record<
    string,
    unknown
  >;
  if (typeof type === "string" && NOTHING.has(type)) return { isNothing: true };
  if (type === "union" || type === "variant") return { options: options as readonly unknown[] };
  const many = [item, rest, value, ...Array.isArray(items) ? items : []];
  const same = [wrapped, ...type === "intersect" ? options as readonly unknown[] : []];
  if (typeof getter === "function") same.push(called(getter as () => unknown));
  return {
    kind: String(type),
    parts: [
      ...Object.entries(entries ?? {}),
      ...many.map((part) => ["*", part] as const),
      ...same.map((part) => [undefined, part] as const),
    ],
  };
}

/** A getter may choose by the value: then by none. */
function called(getter: () => unknown): unknown {
  try {
    return getter();
  } catch {
    return undefined;
  }
}

/** The JSON Schema of what ArkType takes, with a mark where it cannot be said. */
function arkJson(schema: Schema): unknown {
  const { jsonSchema } = schema["~standard"] as Partial<StandardJSONSchemaV1["~standard"]>;
  const fallback = ({ code, base, domain, proto }: Fallback) => {
    const kind = code === "date" ? code : domain ?? proto?.name?.toLowerCase();
    return kind === undefined ? base : { ...base, [MARK]: kind };
  };
  try {
    return jsonSchema?.input({ target: "draft-2020-12", libraryOptions: { fallback } });
  } catch {
    return undefined;
  }
}

interface Fallback {
  readonly code: string;
  readonly base: JsonSchema;
  readonly domain?: string;
  readonly proto?: { readonly name?: string };
}

const MARK = "x-irori-kind";

function json(schema: unknown): Said {
  if (typeof schema !== "object" || schema === null) return {};
  const {
    [MARK]: kind,
    type,
    properties,
    items,
    prefixItems,
    additionalProperties,
    allOf,
    ...rest
  } = schema as JsonSchema;
  const options = rest.anyOf ?? rest.oneOf;
  const many = [items, additionalProperties, ...Array.isArray(prefixItems) ? prefixItems : []];
  return {
    kind: String(kind ?? type),
    isNothing: type === "null" || rest.const === null,
    options: Array.isArray(options) ? options : [],
    parts: [
      ...Object.entries(properties ?? {}),
      ...many.map((part) => ["*", part] as const),
      ...(Array.isArray(allOf) ? allOf : []).map((part) => [undefined, part] as const),
    ],
  };
}
