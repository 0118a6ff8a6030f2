import { isMap, join } from "./_path.ts";
import type { ConfigMap, ConfigValue } from "./types.ts";

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
