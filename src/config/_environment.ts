import { at, isMap, join, scalars } from "./_path.ts";
import { found } from "./_found.ts";
import { isSecret } from "../text/mod.ts";
import { ConfigError } from "./errors.ts";
import type { ConfigMap, ConfigValue } from "./types.ts";

export type ReadVariable = (name: string) => string | undefined;

type Kind = "string" | "number" | "boolean";

/** Scalar keys of the library itself, which a variable can set although no file has them. */
const LIBRARY_KEYS: Readonly<Record<string, Kind>> = {
  "profiles.active": "string",
  "server.address": "string",
  "server.context-path": "string",
  "server.forwarded-header": "string",
  "server.idle-timeout": "number",
  "server.max-body-size": "number",
  "server.max-form-fields": "number",
  "server.port": "number",
  "server.request-timeout": "number",
  "server.shutdown-timeout": "number",
  "server.trusted-proxies": "string",
  "component-scan": "string",
};

const CONNECTION_KEYS: Readonly<Record<string, Kind>> = {
  "username": "string",
  "password": "string",
  "connect_timeout": "number",
  "migrations.enabled": "boolean",
};

const KEYS_BY_LIST: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  search: {
    ...CONNECTION_KEYS,
    "api_key": "string",
    "bearer_token": "string",
    "ca_cert": "string",
    "client_cert": "string",
    "client_key": "string",
    "proxy": "string",
    "ssl_verification": "boolean",
    "timeout": "number",
  },
  datasource: { ...CONNECTION_KEYS, "url": "string", "statement_timeout": "number" },
};

export interface EnvironmentValue {
  readonly key: string;
  readonly variable: string;
  readonly value: ConfigValue;
}

/** By Spring's relaxed names: only scalar keys that are known, converted to their type. @throws {ConfigError} */
export function environmentValues(values: ConfigMap, read: ReadVariable): EnvironmentValue[] {
  const kinds = new Map<string, Kind>([...Object.entries(LIBRARY_KEYS), ...connectionKeys(values)]);
  for (const [key, value] of scalars(values)) {
    const isText = value === null || isSecret(key);
    if (!kinds.has(key)) kinds.set(key, isText ? "string" : typeof value as Kind);
  }
  return [...kinds].flatMap(([key, kind]) => {
    const variable = variableOf(key);
    const text = read(variable);
    // A map or a list that the files have here is no scalar.
    if (text === undefined || typeof (at(values, key) ?? "") === "object") return [];
    return [{ key, variable, value: convert(text, kind, key, variable) }];
  });
}

/** `search[0].password` is `SEARCH_0_PASSWORD`: dots and indices to `_`, dashes dropped. */
export function variableOf(key: string): string {
  return key.replaceAll("-", "").replace(/[.[\]]+/g, "_").replace(/_$/, "").toUpperCase();
}

function* connectionKeys(values: ConfigMap): Iterable<readonly [key: string, kind: Kind]> {
  for (const [list, kinds] of Object.entries(KEYS_BY_LIST)) {
    const value = at(values, list);
    const connections = Array.isArray(value)
      ? value.map((item, index) => [join(list, index), item] as const)
      : [[list, value] as const];
    for (const [path, connection] of connections) {
      if (!isMap(connection)) continue;
      for (const [key, kind] of Object.entries(kinds)) yield [join(path, key), kind];
    }
  }
}

function convert(text: string, kind: Kind, key: string, variable: string): ConfigValue {
  if (kind === "string") return text;
  if (kind === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (kind === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  const origin = { file: `environment variable ${variable}` };
  throw new ConfigError(`Expected a ${kind}${found(key, text)}`, { origin, key });
}
