/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: no list, not `null`. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or an empty one for anything else. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The list, or an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member of a JSON value, `undefined` when it is no object or has none. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether an object has no members. */
export function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** The object with each value changed. */
export function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

/** The object without the members that `isLeftOut` names. */
export function omit(object: Json, isLeftOut: (key: string, value: unknown) => boolean): Json {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => !isLeftOut(key, value)),
  );
}

/** The value of a JSON text, `undefined` when it is none. */
export function valueOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
