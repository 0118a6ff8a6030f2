export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or an empty one for any other value. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The list, or an empty one for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member of a JSON value; `undefined` for a value that is not an object. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

export function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

export function omit(object: Json, isLeftOut: (key: string, value: unknown) => boolean): Json {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => !isLeftOut(key, value)),
  );
}

/** The value of a JSON text; `undefined` for invalid JSON. */
export function valueOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
