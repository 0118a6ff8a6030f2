import { type Direction, isSentWhole, type SchemaPart } from "./part.ts";

function isValibot(schema: unknown): schema is Readonly<Record<string, unknown>> {
  return typeof schema === "object" && schema !== null && "kind" in schema &&
    schema.kind === "schema";
}

/** Describes a schema of Valibot. A schema with a pipe has the members of the first schema in it. */
export function readValibot(schema: unknown, direction: Direction): SchemaPart | undefined {
  if (!isValibot(schema)) return undefined;
  const { entries, wrapped, getter } = schema;
  const [pipe, options, items] = [schema.pipe, schema.options, schema.items]
    .map((list): readonly unknown[] => Array.isArray(list) ? list : []);
  if (direction === "input" && "fallback" in schema) return {};
  const last = direction === "output" && pipe!.slice(1).findLast(isValibot);
  if (last) return { parts: [[undefined, last]] };
  const kind = String(schema.type).replace(/^strict_/, "");
  if (kind === "union" || kind === "variant") return { kind, options };
  const same = [
    ...wrapped === undefined ? [] : [wrapped],
    ...kind === "intersect" ? options! : [],
    ...typeof getter === "function" ? [callGetter(getter as () => unknown)] : [],
  ];
  return {
    kind,
    parts: [
      ...Object.entries(entries ?? {}),
      ...[schema.item, schema.rest, schema.value, ...items!].flatMap((part) =>
        part === undefined ? [] : [["*", part] as const]
      ),
      ...same.map((part) => [undefined, part] as const),
    ],
    ...(direction === "output" && { reason: valibotReason(kind, schema.class) }),
  };
}

function valibotReason(kind: string, type: unknown): SchemaPart["reason"] {
  if (kind === "custom" || kind === "instance" && !isSentWhole(type)) return "isOpaque";
  return LOOSE.has(kind) ? "allowsUnknownKeys" : undefined;
}

const LOOSE = new Set(["loose_object", "object_with_rest", "loose_tuple"]);

/** The getter of `lazy` may choose by the value, and fails without one. */
function callGetter(getter: (value?: unknown) => unknown): unknown {
  try {
    return getter();
  } catch {
    return undefined;
  }
}
