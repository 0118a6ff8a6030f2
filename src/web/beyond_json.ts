import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { zodDefinition, zodParts } from "../text/mod.ts";
import type { BinderInput } from "./binder.ts";
import type { HandlerMapping } from "./metadata.ts";
import { MappingError } from "./errors.ts";
import type { JsonSchema } from "./json_schema.ts";
import { essence } from "./media_type.ts";
import { modelSchema } from "./model.ts";

/**
 * Refuses schemas of JSON bodies and parts that ask for what JSON cannot hold, such as `z.date()`: every value would be
 * refused. Looks at schemas of Zod, ArkType and Valibot; an alternative that JSON can hold will do, `null` excepted.
 *
 * @throws {MappingError}
 */
export function refuseBeyondJson({ binders, consumes }: HandlerMapping, label: string): void {
  for (const [index, { input }] of binders.entries()) {
    const type = schemaOfJson(input, consumes);
    const found = type && beyondJson(type);
    if (!found) continue;
    const what = input.in === "part" ? `RequestPart '${input.name}'` : "RequestBody";
    const where = found.pointer === "" ? "" : ` at '${found.pointer}'`;
    throw new MappingError(
      `Cannot map '${label}': parameter ${
        index + 1
      } (${what}) asks for a value of type '${found.kind}'` +
        `${where}, which no JSON can hold, and would be refused whatever is sent; expected ${
          adviceOn(found.kind, (modelSchema(type) ?? type)["~standard"].vendor)
        }`,
      [label],
    );
  }
}

/** What asks for it, and where: `*` stands for any item. */
interface Found {
  readonly kind: string;
  readonly pointer: string;
}

function schemaOfJson(input: BinderInput, consumes: readonly string[]): Schema | undefined {
  const isForm = consumes.some((type) => /form/.test(essence(type)));
  const isJson = input.in === "part" || input.in === "body" && !isForm;
  const { type } = input;
  return isJson && typeof type !== "string" && type && "~standard" in type ? type : undefined;
}

type Schema = StandardSchemaV1;

function beyondJson(type: Schema): Found | undefined {
  const schema = modelSchema(type) ?? type;
  const { vendor } = schema["~standard"];
  if (zodDefinition(schema)) return ofParts(schema, "", zod, new Set());
  if (vendor === "valibot") return ofParts(schema, "", valibot, new Set());
  return vendor === "arktype" ? ofParts(arkJson(schema), "", json, new Set()) : undefined;
}

/** What a schema says of itself. */
interface Said {
  /** Where no JSON can hold it. */
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
  seen: Set<unknown>,
): Found | undefined {
  // A getter may make a new one each time.
  if (seen.has(schema) || seen.size > MOST_PARTS) return undefined;
  seen.add(schema);
  const { kind, parts = [], options = [] } = read(schema);
  if (kind !== undefined) return { kind, pointer };
  for (const [key, part] of parts) {
    const inner = key === undefined ? pointer : `${pointer}/${escaped(key)}`;
    const found = ofParts(part, inner, read, seen);
    if (found) return found;
  }
  const some = options.filter((option) => !read(option).isNothing);
  const found = some.map((option) => ofParts(option, pointer, read, new Set(seen)));
  return found.every((one) => one !== undefined) ? found[0] : undefined;
}

const MOST_PARTS = 1000;

const BEYOND = new Set(["date", "bigint", "map", "set", "symbol", "nan", "file", "blob"]);
const NOTHING = new Set(["null", "undefined", "void"]);

/** Of Zod 4, `zod/mini` and Zod 3. */
function zod(schema: unknown): Said {
  const definition = zodDefinition(schema);
  if (!definition) return {};
  const kind = String(definition.typeName ?? definition.type).replace(/^Zod/, "").toLowerCase();
  if (BEYOND.has(kind)) return definition.coerce === true ? {} : { kind };
  if (NOTHING.has(kind)) return { isNothing: true };
  const { effect } = definition as { readonly effect?: { readonly type?: string } };
  if (kind === "catch" || effect?.type === "preprocess") return {};
  if (/union$/.test(kind)) return { options: zodParts(definition).map(([, part]) => part) };
  if (/^pipe/.test(kind)) return { parts: [[undefined, definition.in]] };
  const { checks: _, keyType: __, catchall: ___, ...rest } = definition;
  return { parts: zodParts({ ...rest, shape: definition.shape }) };
}

/** Its schemas are plain objects, which say what they are; a pipe has what its first schema has. */
function valibot(schema: unknown): Said {
  if (typeof schema !== "object" || schema === null || "fallback" in schema) return {};
  const { type, entries, items, item, rest, value, wrapped, options, getter } = schema as Record<
    string,
    unknown
  >;
  if (typeof type === "string" && BEYOND.has(type)) return { kind: type };
  if (typeof type === "string" && NOTHING.has(type)) return { isNothing: true };
  if (type === "union" || type === "variant") return { options: options as readonly unknown[] };
  const many = [item, rest, value, ...Array.isArray(items) ? items : []];
  const same = [wrapped, ...type === "intersect" ? options as readonly unknown[] : []];
  if (typeof getter === "function") same.push(called(getter as () => unknown));
  return {
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
    return kind !== undefined && BEYOND.has(kind) ? { ...base, [MARK]: kind } : base;
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

const MARK = "x-irori-beyond-json";

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
  if (typeof kind === "string") return { kind };
  const options = rest.anyOf ?? rest.oneOf;
  const many = [items, additionalProperties, ...Array.isArray(prefixItems) ? prefixItems : []];
  return {
    isNothing: type === "null" || rest.const === null,
    options: Array.isArray(options) ? options : [],
    parts: [
      ...Object.entries(properties ?? {}),
      ...many.map((part) => ["*", part] as const),
      ...(Array.isArray(allOf) ? allOf : []).map((part) => [undefined, part] as const),
    ],
  };
}

function adviceOn(kind: string, vendor: string): string {
  return ADVICE[vendor]?.[kind] ??
    "what JSON can hold, such as a text, a list or an object, and a transformation";
}

const ADVICE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  zod: {
    date: "z.coerce.date() or z.iso.datetime()",
    bigint: "z.coerce.bigint() or z.int()",
  },
  valibot: {
    date: "v.pipe(v.string(), v.isoTimestamp(), v.toDate())",
    bigint: "v.pipe(v.string(), v.digits(), v.toBigint())",
  },
  arktype: {
    date: `"string.date.iso.parse" or "string.date.iso"`,
    bigint: `"string.integer" with a morph`,
  },
};

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
