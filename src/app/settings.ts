import type { Hono } from "hono";
import { type Config, namesAt, refuseUnknownKeys } from "../config/mod.ts";
import type { ManagedContext } from "../container/mod.ts";
import { parseAddresses, type Serving, type TrustedProxies } from "../http/mod.ts";
import type { FailureLog, Route, VersionsOf } from "../web/mod.ts";
import { apiVersions } from "./api_version_settings.ts";
import type { Extension } from "./types.ts";

interface ServerSettings {
  readonly contextPath: string;
  readonly maxBodyBytes: number;
  readonly heartbeatSeconds: number;
  readonly maxFormFields: number;
  readonly trustedProxies?: TrustedProxies;
  readonly versionsOf?: VersionsOf;
  readonly shutdownSeconds: number;
}

export interface Assembled {
  readonly hono: Hono;
  readonly context: ManagedContext;
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly settings: ServerSettings;
  readonly serving: Serving;
  readonly log: FailureLog;
  readonly info: (message: string) => void;
  readonly started: number;
}

export interface ListenSettings {
  readonly port: number;
  readonly address: string;
  readonly requestSeconds: number;
  readonly idleSeconds: number;
}

/** Reads what of `server` only a listener needs. @throws {ConfigError} when a value is not what it has to be */
export function listenSettings(config: Config): ListenSettings {
  return {
    port: bounded(config, "server.port", 8080, 65_535),
    address: address(config),
    requestSeconds: bounded(config, "server.request-timeout", 30, 3600),
    idleSeconds: bounded(config, "server.idle-timeout", 60, 255),
  };
}

/** Reads the rest of `server`. @throws {ConfigError} when a value is not what it has to be */
export function serverSettings(config: Config, extensions?: readonly Extension[]): ServerSettings {
  const others = extensions?.flatMap(({ keys = [] }) => keys);
  if (others) refuseUnknownKeys(config, "server", [...SERVER_KEYS, ...others]);
  return {
    contextPath: contextPath(config),
    maxBodyBytes: bounded(config, "server.max-body-size", 1_048_576, Number.MAX_SAFE_INTEGER),
    heartbeatSeconds: bounded(config, "server.sse.heartbeat", 15, 3600, "seconds"),
    maxFormFields: bounded(config, "server.max-form-fields", 1000, Number.MAX_SAFE_INTEGER),
    trustedProxies: trustedProxies(config),
    versionsOf: apiVersions(config),
    shutdownSeconds: bounded(config, "server.shutdown-timeout", 30, 86_400),
  };
}

/** Adds what reads the keys of `server` that none of the given extensions reads. */
export async function withReaders(
  given: readonly Extension[],
  config: Config,
  readerOf?: (key: string) => Promise<Extension | undefined>,
): Promise<readonly Extension[]> {
  const extensions = [...given];
  for (const name of config.section("server")?.keys() ?? []) {
    if (extensions.some(({ keys }) => keys?.includes(name))) continue;
    const reader = await readerOf?.(`server.${name}`);
    if (reader) extensions.push(reader);
  }
  return extensions;
}

export const SERVER_KEYS: readonly string[] =
  ("address api-version.default api-version.deprecated api-version.header api-version.path " +
    "api-version.supported context-path forwarded-header idle-timeout max-body-size max-form-fields " +
    "port request-timeout shutdown-timeout sse.heartbeat trusted-proxies").split(" ");

function trustedProxies(config: Config): TrustedProxies | undefined {
  const key = "server.trusted-proxies";
  const texts = namesAt(config, key) ?? [];
  const field = config.string("server.forwarded-header", "X-Forwarded-For").toLowerCase();
  if (field !== "x-forwarded-for" && field !== "forwarded") {
    const message = `expected 'X-Forwarded-For' or 'Forwarded', found '${field}'`;
    throw config.error("server.forwarded-header", message);
  }
  if (texts.length === 0) return undefined;
  try {
    return { has: parseAddresses(texts), field };
  } catch (error) {
    throw config.error(key, (error as RangeError).message);
  }
}

function bounded(
  config: Config,
  key: string,
  fallback: number,
  max: number,
  unit?: "seconds",
): number {
  const value = config.number(key, fallback);
  if (value >= 0 && value <= max && (unit || Number.isInteger(value))) return value;
  throw config.error(key, `expected ${unit ?? "an integer"} from 0 to ${max}, found '${value}'`);
}

function address(config: Config): string {
  const key = "server.address";
  const address = config.string(key, "0.0.0.0").trim();
  if (address !== "") return address;
  throw config.error(key, "expected an address or a host name, found none");
}

function contextPath(config: Config): string {
  const key = "server.context-path";
  const path = config.string(key, "").replace(/^\/$/, "");
  if (/^(?:\/(?!\.\.?(?:\/|$))[^/{}*%\s?#]+(?: [^/{}*%\s?#]+)*)*$/.test(path)) return path;
  const message =
    `expected a path such as '/my api', not percent-encoded, without a trailing slash or dot segments, found '${path}'`;
  throw config.error(key, message);
}
