import { type Direction, isSentWhole, type SchemaPart } from "./part.ts";

type Definition = Readonly<Record<string, unknown>>;

export function zodDefinition(schema: unknown): Definition | undefined {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) {
    return undefined;
  }
  const { _zod, _def } = schema as { readonly _zod?: { readonly def?: unknown }; _def?: unknown };
  const definition = _zod?.def ?? _def;
  return typeof definition === "object" && definition !== null
    ? definition as Definition
    : undefined;
}

/** The schemas and checks of a definition, each with its key: `*` for any item, none for the value itself. */
export function zodParts(definition: Definition): NonNullable<SchemaPart["parts"]> {
  return Object.entries({ ...definition, shape: definition.shape }).flatMap(
    ([name, value]): [string | undefined, unknown][] => {
      const isLazy = typeof value === "function" && (name === "getter" || name === "shape");
      const inner: unknown = isLazy ? value() : value;
      if (name === "shape") return Object.entries(inner ?? {});
      const parts = inner instanceof Map ? [...inner.values()] : [inner].flat();
      const key = ITEMS.has(name) ? "*" : undefined;
      return parts.filter((part) => zodDefinition(part)).map((part) => [key, part]);
    },
  );
}

/** Members with the schemas of items; `type` and `rest` are those of arrays and tuples of Zod 3. */
const ITEMS = new Set(["element", "type", "valueType", "items", "rest"]);

/** Describes a schema of Zod 4, `zod/mini` or Zod 3: their definitions have almost the same members. */
export function readZod(schema: unknown, direction: Direction): SchemaPart | undefined {
  const definition = zodDefinition(schema);
  if (definition === undefined) return undefined;
  const { checks: _, keyType: __, catchall: ___, in: from, out, ...rest } = definition;
  const kind = zodKind(schema);
  const isInput = direction === "input";
  const takesAnything = definition.coerce === true || kind === "catch" ||
    effectOf(definition) === "preprocess";
  if (isInput && takesAnything) return {};
  if (kind.endsWith("union")) return { kind, options: zodParts(rest).map(([, part]) => part) };
  if (kind.startsWith("pipe")) {
    return { kind, parts: [[undefined, isInput || zodKind(out) === "transform" ? from : out]] };
  }
  const parts = zodParts({ ...rest, shape: definition.shape });
  return isInput ? { kind, parts } : { kind, parts, reason: zodReason(schema, kind, definition) };
}

function zodKind(schema: unknown): string {
  const { type, typeName } = zodDefinition(schema) ?? {};
  return String(typeName ?? type).replace(/^Zod/, "").toLowerCase();
}

function effectOf({ effect }: Definition): unknown {
  return (effect as { readonly type?: unknown } | undefined)?.type;
}

function zodReason(schema: unknown, kind: string, definition: Definition): SchemaPart["reason"] {
  const { unknownKeys, mode, catchall } = definition;
  // Zod 3 makes `z.custom()` and `z.instanceof()` of `z.any()` and a refinement.
  if (effectOf(definition) === "refinement" && zodKind(definition.schema) === "any") {
    return "isOpaque";
  }
  if (kind === "custom") {
    const { _zod } = schema as { readonly _zod?: { readonly bag?: { readonly Class?: unknown } } };
    return isSentWhole(_zod?.bag?.Class) ? undefined : "isOpaque";
  }
  const isLoose = unknownKeys === "passthrough" || mode === "loose" ||
    catchall !== undefined && zodKind(catchall) !== "never";
  return isLoose ? "allowsUnknownKeys" : undefined;
}
