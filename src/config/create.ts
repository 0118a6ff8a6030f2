import { environmentValues } from "./_environment.ts";
import { expand, merge } from "./_expand.ts";
import { at, isMap, withValue } from "./_path.ts";
import { ConfigView } from "./config.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { Config, ConfigMap, ConfigValue } from "./types.ts";

/** What {@linkcode createConfig} takes beside values. */
export interface CreateConfigOptions {
  /** Where relative paths start. @default "" */
  readonly root?: string;
  /** Environment variables: fill placeholders and override keys. What is no text, as bindings of edge isolates, is left out. */
  readonly env?: Readonly<Record<string, unknown>>;
}

/**
 * A configuration of values that are there already, for edge isolates and tests.
 *
 * @param values nested, or with dotted keys
 * @throws {ConfigError} for a variable that does not convert, and a key that has a value and keys below it
 */
export function createConfig(values: ConfigMap = {}, options: CreateConfigOptions = {}): Config {
  const { root = "", env } = options;
  const variable = env && ((name: string) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return typeof value === "string" ? value : undefined;
  });
  return assemble({ root, values: withKeys({}, values), variable });
}

export interface ConfigParts {
  readonly root: string;
  readonly values: ConfigMap;
  readonly variable: ((name: string) => string | undefined) | undefined;
  readonly origin?: (key: string) => Origin;
  readonly written?: (key: string) => string | undefined;
  readonly overrides?: ConfigMap;
}

export function assemble(parts: ConfigParts): ConfigView {
  const { root, variable, overrides = {} } = parts;
  const variables = new Map<string, string>();
  let values: ConfigValue = parts.values;
  for (
    const { key, variable: name, value } of variable
      ? environmentValues(parts.values, variable)
      : []
  ) {
    values = withValue(values, key, value);
    variables.set(key, name);
  }
  const known = values as ConfigMap;
  const all = withKeys(known, overrides);
  const isOverridden = (key: string) => at(all, key) !== at(known, key);
  const variableOf = (key: string) => isOverridden(key) ? undefined : variables.get(key);
  return new ConfigView({
    root,
    values: all,
    variable: variable ?? (() => undefined),
    origin: (key) => {
      if (isOverridden(key)) return { file: "options" };
      const name = variableOf(key);
      return name === undefined ? parts.origin?.(key) : { file: `environment variable ${name}` };
    },
    isLiteral: (key) => variableOf(key) !== undefined,
    written: (key) => {
      const isOfFile = !isOverridden(key) && variableOf(key) === undefined;
      return isOfFile ? parts.written?.(key) : undefined;
    },
  });
}

/** Of a value and keys below it one would be lost. @throws {ConfigError} */
function refuseLost(key: string, before: ConfigValue, after: ConfigValue): void {
  if (before === null || after === null || isMap(before) === isMap(after)) return;
  throw new ConfigError(`Expected a value or keys below it, found both`, { key });
}

/** Sets each key of `above`: a dotted one goes to its place, one with an index into its list, a nested map merges. */
function withKeys(below: ConfigMap, above: ConfigMap): ConfigMap {
  let values = below;
  expand(above, refuseLost);
  for (const [key, value] of Object.entries(above)) {
    values = key.includes("[")
      ? withValue(values, key, expand(value)) as ConfigMap
      : merge(values, expand({ [key]: value }) as ConfigMap);
  }
  return values;
}
