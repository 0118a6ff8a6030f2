import { isMap, join } from "./_path.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { ConfigMap, ConfigValue } from "./types.ts";

const MAX_DEPTH = 100;

/** Puts what YAML's `<<` merges below the keys beside it. @throws {ConfigError} for an alias inside its own anchor */
export function expand(
  value: unknown,
  onTwice: (key: string, before: ConfigValue, after: ConfigValue) => void = () => {},
  about: { readonly origin?: Origin } = {},
  key = "",
  depth = 0,
): ConfigValue {
  if (depth > MAX_DEPTH) {
    throw new ConfigError(`Expected at most ${MAX_DEPTH} levels of nesting, found more`, about);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => expand(item, onTwice, about, join(key, index), depth + 1));
  }
  if (typeof value === "bigint") return String(value);
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return value as ConfigValue;
  let map: ConfigMap = {};
  let inherited: ConfigMap = {};
  for (const [name, child] of Object.entries(value)) {
    if (name === "<<") {
      for (const parent of [child].flat()) {
        const expanded = expand(parent, () => {}, about, key, depth + 1);
        // The first of several wins (YAML's merge key type).
        if (isMap(expanded)) inherited = merge(expanded, inherited);
      }
      continue;
    }
    const [first = name, ...nested] = name.split(".");
    const inner = nested.reduceRight<unknown>((below, part) => ({ [part]: below }), child);
    const expanded = expand(inner, onTwice, about, join(key, first), depth + 1);
    map = merge(map, { [first]: expanded }, onTwice, key);
  }
  return merge(inherited, map);
}

export function merge(
  below: ConfigMap,
  above: ConfigMap,
  onReplace: (key: string, before: ConfigValue, after: ConfigValue) => void = () => {},
  prefix = "",
): ConfigMap {
  const merged = new Map<string, ConfigValue>(Object.entries(below));
  for (const [name, value] of Object.entries(above)) {
    const other = merged.get(name);
    const key = join(prefix, name);
    const both = isMap(other) && isMap(value);
    if (other !== undefined && !both) onReplace(key, other, value);
    merged.set(name, both ? merge(other, value, onReplace, key) : value);
  }
  // A key `__proto__` becomes a property like any other.
  return Object.fromEntries(merged);
}
