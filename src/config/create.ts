import { environmentValues } from "./_environment.ts";
import { at, join, withValue } from "./_path.ts";
import { merge } from "./_yaml.ts";
import { ConfigView } from "./config.ts";
import type { Origin } from "./errors.ts";
import type { Config, ConfigMap, ConfigValue } from "./types.ts";

/** What {@linkcode createConfig} takes beside values. */
export interface CreateConfigOptions {
  /** Where relative paths start. @default "" */
  readonly root?: string;
  /** Environment variables: fill placeholders and override keys. */
  readonly env?: Readonly<Record<string, unknown>>;
}

/**
 * A configuration of values that are there already, for edge isolates and tests.
 *
 * @param values nested, or with dotted keys
 */
export function createConfig(values: ConfigMap = {}, options: CreateConfigOptions = {}): Config {
  const { root = "", env = {} } = options;
  const variable = (name: string) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  return assemble({ root, values: withDottedKeys({}, values), variable, origin: () => undefined });
}

/** Puts what the environment overrides over the values, and options over that. */
export function assemble(parts: {
  readonly root: string;
  readonly values: ConfigMap;
  readonly variable: (name: string) => string | undefined;
  readonly origin: (key: string) => Origin | undefined;
  readonly overrides?: ConfigMap;
}): ConfigView {
  const { root, variable, overrides = {} } = parts;
  const origins = new Map<string, Origin>();
  let values: ConfigValue = parts.values;
  for (const { key, variable: name, value } of environmentValues(parts.values, variable)) {
    values = withValue(values, key, value);
    origins.set(key, { file: `environment variable ${name}` });
  }
  const known = values as ConfigMap;
  values = withDottedKeys(known, overrides);
  const origin = (key: string) => {
    const overridden = at(values, key) !== at(known, key);
    return overridden ? { file: "options" } : origins.get(key) ?? parts.origin(key);
  };
  return new ConfigView({ root, values: values as ConfigMap, variable, origin });
}

/** Sets each key of `above`; a dotted one goes to its place, a nested map merges. */
function withDottedKeys(below: ConfigMap, above: ConfigMap): ConfigMap {
  let values: ConfigMap = below;
  for (const [key, value] of Object.entries(above)) {
    const nested = withValue({}, join("", key), value) as ConfigMap;
    values = key.includes("[") ? withValue(values, key, value) as ConfigMap : merge(values, nested);
  }
  return values;
}
