import { type Config, namesAt, refuseUnknownKeys } from "../../config/mod.ts";
import { defined } from "../../text/mod.ts";
import type { BrowserOptions } from "./types.ts";

/** Reads `server.cors` and `server.headers`. @throws {ConfigError} for what is of another kind */
export function browserSettings(config: Config): BrowserOptions {
  return {
    cors: switched(config, "server.cors", CORS_KEYS),
    headers: switched(config, "server.headers", HEADER_KEYS),
  };
}

type Read = (section: Config, key: string) => unknown;
type Keys = Readonly<Record<string, Read>>;

function switched(config: Config, key: string, keys: Keys): boolean | object | undefined {
  const value = config.get(key) ?? undefined;
  if (typeof value === "object") return optionsIn(config.section(key)!, keys);
  const given = switchOrText(config, key);
  if (typeof given !== "string") return given;
  throw config.error(key, `Expected true, false or a map of options, found '${given}'`);
}

function optionsIn(section: Config, keys: Keys): object {
  const known = Object.keys(keys);
  refuseUnknownKeys(section, "", known);
  const needed = known.filter((key) => keys[key] === required);
  return defined(Object.fromEntries([...needed, ...section.keys()].map((key) => {
    return [camelCase(key), keys[key]!(section, key)];
  })));
}

function mapOf(keys: Keys): Read {
  return (section, key) => section.section(key) && optionsIn(section.section(key)!, keys);
}

function listOf(keys: Keys): Read {
  return (section, key) => section.sections(key).map((one) => optionsIn(one, keys));
}

const required: Read = (section, key) => section.required(key);
const number: Read = (section, key) => section.number(key);
const boolean: Read = (section, key) => section.boolean(key);

const origins: Read = (section, key) => {
  const names = namesAt(section, key);
  if (names === undefined) throw section.error(key, "expected '*' or origins, found none");
  return names?.join() === "*" ? "*" : names;
};

function switchOrText(section: Config, key: string): boolean | string | undefined {
  const text = section.string(key);
  return text === "true" || text === "false" ? text === "true" : text;
}

/** `sandbox` and `upgrade-insecure-requests` need no sources: `true`. */
const sources: Read = (section, key) => {
  const value = section.get(key);
  if (typeof value === "boolean") return value ? [] : undefined;
  const found = section.strings(key) ?? [];
  if (!found.some((source) => /[,;]/.test(source))) return found;
  throw section.error(key, `expected a list of sources, found '${found.join("', '")}'`);
};

const permissions: Read = (section, key) => {
  const policy = section.section(key);
  return policy && Object.fromEntries(
    policy.keys().map((name) => {
      const value = policy.get(name);
      return [name, typeof value === "boolean" ? value : policy.strings(name)];
    }),
  );
};

function all(keys: string, read: Read): Keys {
  return Object.fromEntries(keys.split(/\s+/).map((key) => [key, read]));
}

const CORS: Keys = {
  ...all("allow-methods allow-headers expose-headers", namesAt),
  origin: origins,
  "max-age": number,
  credentials: boolean,
};

export const CORS_OPTIONS: readonly string[] = Object.keys(CORS).map(camelCase);
export const CORS_KEYS: Keys = { ...CORS, paths: listOf({ path: required, ...CORS }) };

export const DIRECTIVES: Keys = all(
  `base-uri child-src connect-src default-src font-src form-action frame-ancestors frame-src img-src manifest-src
   media-src object-src report-to report-uri sandbox script-src script-src-attr script-src-elem style-src style-src-attr
   style-src-elem upgrade-insecure-requests worker-src`,
  sources,
);

export const HEADER_KEYS: Keys = {
  ...all(
    `cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy origin-agent-cluster
     referrer-policy strict-transport-security x-content-type-options x-dns-prefetch-control x-download-options
     x-frame-options x-permitted-cross-domain-policies x-xss-protection`,
    switchOrText,
  ),
  ...all("content-security-policy content-security-policy-report-only", mapOf(DIRECTIVES)),
  "permissions-policy": permissions,
  "remove-powered-by": boolean,
  "report-to": listOf({
    group: required,
    max_age: number,
    endpoints: listOf({ url: required }),
  }),
  "reporting-endpoints": listOf({ name: required, url: required }),
};

function camelCase(key: string): string {
  return key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function hyphenated(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
