import { first, isOfBytes, isOpenedBy, under } from "./_open_part.ts";
import type { AdditionalProperties } from "./additional_properties.ts";

/** Whether Valibot made it. Its schemas are plain objects, which say what they are. */
export function isValibot(schema: object): boolean {
  return "kind" in schema && schema.kind === "schema";
}

/** Where a schema of Valibot gives what it does not name. */
export function openValibot(
  schema: unknown,
  pointer = "",
  seen: Set<unknown> = new Set(),
): AdditionalProperties | undefined {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return undefined;
  const { type, kind, entries, items, item, rest, options, value, wrapped, pipe, getter, ...more } =
    schema as Record<string, unknown>;
  // A getter may make a new one each time.
  if (kind !== "schema" || seen.size > MOST_PARTS) return undefined;
  seen.add(schema);
  const inner = (part: unknown, key?: string) => () =>
    openValibot(part, key === undefined ? pointer : under(pointer, key), seen);
  const schemas = (Array.isArray(pipe) ? pipe.slice(1) : []).filter(({ kind }) =>
    kind === "schema"
  );
  // What comes later in a pipe is what is given.
  if (schemas.length > 0) return inner(schemas.at(-1))();
  if (type === "custom" || type === "instance" && !isOfBytes(more.class)) {
    return { pointer, reason: "isOpaque" };
  }
  const isOpen = OPEN.has(type) ||
    type === "intersect" && Array.isArray(options) && isOpenedBy(options.map((o) => kindsOf(o)));
  if (isOpen) return { pointer, reason: "allowsUnknownKeys" };
  return first([
    ...Object.entries(entries ?? {}).map(([key, part]) => inner(part, key)),
    ...[item, rest, value, ...Array.isArray(items) ? items : []].map((part) => inner(part, "*")),
    ...Array.isArray(options) ? options.map((part) => inner(part)) : [],
    inner(wrapped),
    ...typeof getter === "function"
      ? [() => inner(read(getter as (value: unknown) => unknown))()]
      : [],
  ]);
}

/** Those that a value may be of: through unions, intersections and what is wrapped around a schema. */
function kindsOf(schema: unknown, seen: Set<unknown> = new Set()): readonly string[] {
  // Of a getter that chooses by the value.
  if (typeof schema !== "object" || schema === null) return ["unknown"];
  if (seen.has(schema) || seen.size > MOST_PARTS) return [];
  seen.add(schema);
  const { type, options, wrapped, pipe, getter } = schema as Record<string, unknown>;
  const last = Array.isArray(pipe) && pipe.findLast(({ kind }) => kind === "schema");
  if (last && last !== pipe[0]) return kindsOf(last, seen);
  if (typeof getter === "function") {
    return kindsOf(read(getter as (value: unknown) => unknown), seen);
  }
  const parts = Array.isArray(options) ? options : [wrapped];
  // The options of a list of values are no schemas.
  return parts.some((part) => typeof part === "object" && part !== null)
    ? parts.flatMap((part) => kindsOf(part, seen))
    : [String(type).replace(/^strict_/, "")];
}

const OPEN: ReadonlySet<unknown> = new Set(["loose_object", "object_with_rest", "loose_tuple"]);
const MOST_PARTS = 1000;

/** Of `lazy` and `lazyAsync`, which may choose by the value: then by none. */
function read(getter: (value: unknown) => unknown): unknown {
  try {
    return getter(undefined);
  } catch {
    return undefined;
  }
}
