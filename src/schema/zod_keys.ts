import { zodDefinition, zodParts } from "./zod.ts";
import { first, isOfBytes, isOpenedBy, isStructure, under } from "./_open_part.ts";
import type { AdditionalProperties } from "./additional_properties.ts";

/** Where a schema of Zod (4, `zod/mini`, 3) gives what it does not name. What it is made of says so, at each part alike. */
export function openZod(
  schema: unknown,
  pointer = "",
  seen: Set<unknown> = new Set(),
): AdditionalProperties | undefined {
  const definition = zodDefinition(schema);
  // A getter may make a new one each time.
  if (definition === undefined || seen.has(schema) || seen.size > MOST_PARTS) return undefined;
  seen.add(schema);
  const { catchall, unknownKeys, left, right, out } = definition;
  if (isOpaque(schema, definition)) return { pointer, reason: "isOpaque" };
  // Of `z.looseRecord()`, which lets a key pass that does not fit.
  const hasOthers = unknownKeys === "passthrough" || definition.mode === "loose" ||
    !["undefined", "never"].includes(zodKind(catchall));
  if (hasOthers || left && right && isOpenedBy([left, right].map((side) => kindsOf(side)))) {
    return { pointer, reason: "allowsUnknownKeys" };
  }
  // What comes later in a pipe is what is given, unless that cannot be told.
  if (out && zodKind(out) !== "transform") return openZod(out, pointer, seen);
  const { checks: _, keyType: __, ...rest } = definition;
  return first(
    zodParts({ ...rest, shape: definition.shape }).map(([key, part]) => () =>
      openZod(part, key === undefined ? pointer : under(pointer, key), seen)
    ),
  );
}

const MOST_PARTS = 1000;

/** Those that a value may be of: through unions, intersections and what is wrapped around a schema. */
function kindsOf(schema: unknown, seen: Set<unknown> = new Set()): readonly string[] {
  const definition = zodDefinition(schema);
  if (definition === undefined || seen.has(schema) || seen.size > MOST_PARTS) return [];
  seen.add(schema);
  const kind = zodKind(schema);
  if (isStructure(kind)) return [kind];
  const { checks: _, in: from, out, ...rest } = definition;
  const isTold = out !== undefined && zodKind(out) !== "transform";
  const parts = zodParts(from === undefined ? rest : { inner: isTold ? out : from });
  return parts.length === 0 ? [kind] : parts.flatMap(([, part]) => kindsOf(part, seen));
}

/** Such as `object`. */
function zodKind(schema: unknown): string {
  const { type, typeName } = zodDefinition(schema) ?? {};
  return String(typeName ?? type).replace(/^Zod/, "").toLowerCase();
}

/** `z.custom()` and `z.instanceof()`, which Zod 3 makes of `z.any()` and a function. */
function isOpaque(schema: unknown, definition: Readonly<Record<string, unknown>>): boolean {
  const { effect, schema: inner } = definition as {
    readonly effect?: { readonly type?: string };
    readonly schema?: unknown;
  };
  if (effect?.type === "refinement") return zodKind(inner) === "any";
  if (zodKind(schema) !== "custom") return false;
  const { _zod } = schema as { readonly _zod?: { readonly bag?: { readonly Class?: unknown } } };
  return !isOfBytes(_zod?.bag?.Class);
}
