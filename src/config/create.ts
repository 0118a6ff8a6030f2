import { isSecret } from "../text/mod.ts";
import { expand, merge } from "./_expand.ts";
import { found } from "./_found.ts";
import { at, isMap, join, scalars, split, withValue } from "./_path.ts";
import { ConfigView } from "./config.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { Config, ConfigMap, ConfigValue } from "./types.ts";

/** The options of {@linkcode createConfig} beside values. */
export interface CreateConfigOptions {
  /** Where relative paths start. @default "" */
  readonly root?: string;
  /** Environment variables: fill placeholders and override keys. What is no text, as bindings of edge isolates, is left out. */
  readonly env?: object;
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
    const value: unknown = Object.hasOwn(env, name) ? env[name as never] : undefined;
    return typeof value === "string" ? value : undefined;
  });
  return assemble({ root, values: withKeys({}, values), variable });
}

interface ConfigParts {
  readonly root: string;
  readonly values: ConfigMap;
  readonly variable?: (name: string) => string | undefined;
  readonly origin?: (key: string) => Origin;
  readonly written?: (key: string) => string | undefined;
  readonly overrides?: ConfigMap;
}

export function assemble(parts: ConfigParts, others: Iterable<[string, Kind]> = []): ConfigView {
  const { root, variable = () => undefined, overrides = {} } = parts;
  const variables = new Map<string, string>();
  let known = parts.values;
  for (const [key, kind] of kindsOf(parts.values, others)) {
    // `search[0].password` is `SEARCH_0_PASSWORD`: dots and indices to `_`, dashes dropped.
    const name = key.replaceAll("-", "").replace(/[.[\]]+/g, "_").replace(/_$/, "").toUpperCase();
    const text = variable(name);
    // A map or a list that the files have here is no scalar.
    if (text === undefined || typeof (at(parts.values, key) ?? "") === "object") continue;
    known = withValue(known, split(key), convert(text, kind, key, name)) as ConfigMap;
    variables.set(key, name);
  }
  const values = withKeys(known, overrides);
  const isOverridden = (key: string) => at(values, key) !== at(known, key);
  return new ConfigView({
    root,
    values,
    variable,
    origin: (key) => {
      if (isOverridden(key)) return { file: "options" };
      const name = variables.get(key);
      return name === undefined ? parts.origin?.(key) : { file: `environment variable ${name}` };
    },
    isLiteral: (key) => variables.has(key) && !isOverridden(key),
    written: (key) => isOverridden(key) || variables.has(key) ? undefined : parts.written?.(key),
  });
}

/** A value and keys below it exclude each other: one would be lost. @throws {ConfigError} */
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
      ? withValue(values, split(key), expand(value)) as ConfigMap
      : merge(values, expand({ [key]: value }) as ConfigMap);
  }
  return values;
}

export type Kind = "string" | "number" | "boolean";

/** Keys by their kinds, separated by spaces. */
export type Keys = Readonly<Partial<Record<Kind, string>>>;

/** Scalar keys of applications, which a variable can set although no file has them. */
const LIBRARY_KEYS: Keys = {
  string: "profiles.active server.address server.context-path server.forwarded-header " +
    "server.trusted-proxies component-scan server.api-version.default server.api-version.header " +
    "server.api-version.path server.api-version.supported",
  number: "server.idle-timeout server.max-body-size server.max-form-fields server.port " +
    "server.request-timeout server.shutdown-timeout server.sse.heartbeat",
};

export function keysIn(keys: Keys, prefix = ""): readonly [key: string, kind: Kind][] {
  return Object.entries(keys).flatMap(([kind, names]) =>
    names.split(" ").map((name): [string, Kind] => [join(prefix, name), kind as Kind])
  );
}

/** The keys that variables may set, by Spring's relaxed names: only scalar keys that are known. */
function kindsOf(values: ConfigMap, others: Iterable<[string, Kind]>): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>([...keysIn(LIBRARY_KEYS), ...others]);
  for (const [key, value] of scalars(values)) {
    const isText = value === null || isSecret(key);
    if (!kinds.has(key)) kinds.set(key, isText ? "string" : typeof value as Kind);
  }
  return kinds;
}

/** @throws {ConfigError} for what is not of its kind */
function convert(text: string, kind: Kind, key: string, variable: string): ConfigValue {
  if (kind === "string") return text;
  if (kind === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (kind === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  const origin = { file: `environment variable ${variable}` };
  throw new ConfigError(`Expected a ${kind}${found(key, text)}`, { origin, key });
}
