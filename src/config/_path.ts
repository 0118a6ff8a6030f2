import type { Config, ConfigMap, ConfigValue } from "./types.ts";

/** `join("search[0]", "hosts")` is `search[0].hosts`; a number is an index. */
export function join(prefix: string, key: string | number): string {
  if (typeof key === "number") return `${prefix}[${key}]`;
  return prefix === "" || key === "" || key.startsWith("[") ? prefix + key : `${prefix}.${key}`;
}

/** The key of what a key is in: `search[0]` of `search[0].hosts`; nothing is above an empty one. */
export function parentOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf("."), key.lastIndexOf("[")));
}

export function split(key: string): (string | number)[] {
  return [...key.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) =>
    index === undefined ? part : Number(index)
  );
}

export function at(value: ConfigValue | undefined, key: string): ConfigValue | undefined {
  let found = value;
  for (const part of split(key)) {
    if (typeof part === "number") found = Array.isArray(found) ? found[part] : undefined;
    else found = isMap(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  return found;
}

export function isMap(value: unknown): value is ConfigMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function* scalars(
  value: ConfigValue,
  key = "",
): Iterable<readonly [key: string, value: string | number | boolean | null]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* scalars(item, join(key, index));
  } else if (isMap(value)) {
    for (const [name, item] of Object.entries(value)) yield* scalars(item, join(key, name));
  } else yield [key, value as string | number | boolean | null];
}

/** The values below a key, with dots in their names: they may be nested, or written in one. Lists are whole. */
export function* leaves(
  value: ConfigValue,
  key = "",
): Iterable<readonly [key: string, value: ConfigValue]> {
  if (!isMap(value)) yield [key, value];
  else for (const [name, inner] of Object.entries(value)) yield* leaves(inner, join(key, name));
}

export function withValue(
  tree: ConfigValue | undefined,
  [first, ...rest]: readonly (string | number)[],
  value: ConfigValue,
): ConfigValue {
  if (first === undefined) return value;
  if (typeof first === "number") {
    const list = Array.isArray(tree) ? [...tree] : [];
    list[first] = withValue(list[first], rest, value);
    return list;
  }
  const map = isMap(tree) ? tree : {};
  return {
    ...map,
    [first]: withValue(Object.hasOwn(map, first) ? map[first] : undefined, rest, value),
  };
}

export function namesAt(config: Config, key: string): readonly string[] | undefined {
  return config.strings(key)?.flatMap((text) => text.split(/[\s,]+/))
    .filter((name) => name !== "");
}
