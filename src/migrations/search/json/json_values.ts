export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

export function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

export function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

export function omit(object: Json, isLeftOut: (value: unknown, key: string) => boolean): Json {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => !isLeftOut(value, key)),
  );
}

export function valueOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
