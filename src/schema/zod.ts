/** What a schema of Zod, 4 or 3, was made of; `undefined` for anything else. */
export function zodDefinition(part: unknown): Readonly<Record<string, unknown>> | undefined {
  if ((typeof part !== "object" && typeof part !== "function") || part === null) return undefined;
  const { _zod, _def } = part as { readonly _zod?: Definable; readonly _def?: unknown };
  const definition = _zod?.def ?? _def;
  return typeof definition === "object" && definition !== null
    ? definition as Readonly<Record<string, unknown>>
    : undefined;
}

interface Definable {
  readonly def?: unknown;
}

/** The schemas and checks that one is made of, with the key they stand for: `*` for any item, none for itself. */
export function zodParts(
  definition: Readonly<Record<string, unknown>>,
): readonly (readonly [key: string | undefined, part: unknown])[] {
  return Object.entries({ ...definition, shape: definition.shape }).flatMap(
    ([name, value]): [string | undefined, unknown][] => {
      const isLazy = typeof value === "function" && (name === "getter" || name === "shape");
      const inner: unknown = isLazy ? value() : value;
      const key = ITEMS.has(name) ? "*" : undefined;
      if (name === "shape") return Object.entries(inner ?? {});
      const parts = Array.isArray(inner)
        ? inner
        : inner instanceof Map
        ? [...inner.values()]
        : [inner];
      return parts.filter((part) => zodDefinition(part)).map((part) => [key, part]);
    },
  );
}

/** `type` and `rest` are those of arrays and tuples of Zod 3. */
const ITEMS = new Set(["element", "type", "valueType", "items", "rest"]);
