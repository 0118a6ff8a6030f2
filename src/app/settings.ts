import { type Config, namesAt, refuseUnknownKeys } from "../config/mod.ts";
import { parseAddresses, type TrustedProxies } from "../http/mod.ts";
import type { ApiVersionSettings } from "../web/mod.ts";
import { apiVersion } from "./api_version_settings.ts";

export interface ServerSettings {
  /** `server.context-path`: comes before every path. @default "" */
  readonly contextPath: string;
  /** `server.max-body-size`, in bytes. @default 1048576 */
  readonly maxBodyBytes: number;
  /**
   * `server.sse.heartbeat`, in seconds: after how much silence an event stream sends a comment; 0 for never.
   * @default 15
   */
  readonly heartbeatSeconds: number;
  /** `server.max-form-fields`: fields or parts of a form. @default 1000 */
  readonly maxFormFields: number;
  /**
   * `server.trusted-proxies`: addresses and blocks of them whose word on where a request comes from counts, and
   * `server.forwarded-header`: the field that they say it in, `X-Forwarded-For` or `Forwarded`.
   * @default none
   */
  readonly trustedProxies?: TrustedProxies;
  /** `server.api-version`: how requests say which version of the API they mean. @default they do not */
  readonly apiVersion?: ApiVersionSettings;
  /** `server.shutdown-timeout`, in seconds: how long requests in flight may take. @default 30 */
  readonly shutdownSeconds: number;
}

export interface ListenSettings {
  /** `server.port` @default 8080 */
  readonly port: number;
  /** `server.address` @default "0.0.0.0" */
  readonly address: string;
  /** `server.request-timeout`, in seconds: how long a client may take to send a request. @default 30 */
  readonly requestSeconds: number;
  /** `server.idle-timeout`, in seconds: how long a connection may be silent. @default 60 */
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
export function serverSettings(config: Config): ServerSettings {
  refuseUnknownKeys(config, "server", SERVER_KEYS);
  return {
    contextPath: contextPath(config),
    maxBodyBytes: bounded(config, "server.max-body-size", 1_048_576, Number.MAX_SAFE_INTEGER),
    heartbeatSeconds: bounded(config, "server.sse.heartbeat", 15, 3600, "seconds"),
    maxFormFields: bounded(config, "server.max-form-fields", 1000, Number.MAX_SAFE_INTEGER),
    trustedProxies: trustedProxies(config),
    apiVersion: apiVersion(config),
    shutdownSeconds: bounded(config, "server.shutdown-timeout", 30, 86_400),
  };
}

export const SERVER_KEYS: readonly string[] = [
  "address",
  "api-version.default",
  "api-version.deprecated",
  "api-version.header",
  "api-version.path",
  "api-version.supported",
  "context-path",
  "forwarded-header",
  "idle-timeout",
  "max-body-size",
  "max-form-fields",
  "port",
  "request-timeout",
  "shutdown-timeout",
  "sse.heartbeat",
  "trusted-proxies",
];

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
  const path = config.string(key, "");
  if (path === "" || path === "/") return "";
  const hasDots = path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (/^(?:\/[^/{}*\s?#]+)+$/.test(path) && !hasDots) return path;
  throw config.error(
    key,
    `expected a path such as '/api', without a trailing slash or dot segments, found '${path}'`,
  );
}
