import { at, isMap, join } from "./_path.ts";
import { PlaceholderError } from "../text/mod.ts";
import { fill } from "./_placeholders.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { ConfigMap, ConfigValue } from "./types.ts";

export interface Store {
  readonly root: string;
  readonly values: ConfigMap;
  readonly variable: (name: string) => string | undefined;
  readonly origin: (key: string) => Origin | undefined;
  /** Whether the value came from the environment, where `${` means nothing. */
  readonly isLiteral: (key: string) => boolean;
  /** A number as it was written, where that is not as it would be written again: `007`, `1.10`. */
  readonly written: (key: string) => string | undefined;
}

/** By the environment variable of the name, else by the key. @throws {ConfigError} naming all of them */
export function filled(
  store: Store,
  key: string,
  outer: readonly string[] = [],
): ConfigValue | undefined {
  const value = at(store.values, key);
  return value === undefined ? undefined : fillValue(store, value, key, outer);
}

function fillValue(
  store: Store,
  value: ConfigValue,
  key: string,
  outer: readonly string[],
): ConfigValue {
  if (Array.isArray(value)) {
    return value.map((item, index) => fillValue(store, item, join(key, index), outer));
  }
  if (isMap(value)) {
    const entries = Object.entries(value).map(([name, item]) => {
      return [name, fillValue(store, item, join(key, name), outer)] as const;
    });
    return Object.fromEntries(entries);
  }
  const isPlain = typeof value !== "string" || !value.includes("${") || store.isLiteral(key);
  return isPlain ? value : fillText(store, value, key, outer);
}

function fillText(store: Store, text: string, key: string, outer: readonly string[]): string {
  const error = (message: string) => new ConfigError(message, { origin: store.origin(key), key });
  if (outer.includes(key)) {
    const circle = [...outer.slice(outer.indexOf(key)), key].join(" → ");
    throw error(`Cannot fill placeholders that need each other: ${circle}`);
  }
  try {
    return fill(text, (name) => {
      const variable = store.variable(name);
      if (variable !== undefined) return variable;
      const other = filled(store, name, [...outer, key]) ?? undefined;
      if (typeof other === "object") {
        throw error(`Cannot fill '\${${name}}': it is a map or a list, which text cannot contain`);
      }
      return other === undefined ? undefined : store.written(name) ?? String(other);
    });
  } catch (thrown) {
    throw thrown instanceof PlaceholderError ? error(thrown.message) : thrown;
  }
}
