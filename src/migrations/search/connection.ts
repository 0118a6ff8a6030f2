import type { Config, ConfigValue } from "../../config/mod.ts";
import {
  checkKeys,
  checkPair,
  choiceOf,
  connectionName,
  connectionsIn,
  type Features,
  keysBelow,
  milliseconds,
  NO_FEATURES,
  pemOf,
} from "../runner/mod.ts";
import { defined, withoutFinalLineBreak } from "../../text/mod.ts";
import { PLACE } from "./offers.ts";
import type { Placeholders, PlaceholderValue } from "./files/placeholders.ts";
import type { Host, SearchConnection } from "./types.ts";

/** Longer than the 30 s that clusters wait for shards and confirmations before they answer. */
const TIMEOUT_MS = 40_000;
const CONNECT_TIMEOUT_MS = 5_000;

const KEYS: readonly string[] = [
  ...["name", "hosts", "username", "password", "api_key", "bearer_token", "proxy"],
  ...["timeout", "connect_timeout", "ssl_verification", "ca_cert", "client_cert", "client_key"],
  ...["enabled", "on_change", "placeholders"].map((key) => `migrations.${key}`),
];

export function searchKeys(features: Features): readonly string[] {
  return [...KEYS, ...features.settings("search").flatMap(({ keys }) => keys)];
}

/** Reads the list `search` of the configuration (reference 2.8); a single map counts as a list of one. */
export function readSearchConnections(
  config: Config,
  features: Features = NO_FEATURES,
): readonly SearchConnection[] {
  const keys = searchKeys(features);
  return connectionsIn(config, "search", keys, (section) => {
    checkKeys(section, "migrations", keysBelow(keys, "migrations"));
    return readConnection(section, features);
  });
}

function readConnection(section: Config, features: Features): SearchConnection {
  const name = connectionName(section);
  const hosts = hostsOf(section);
  checkPair(section, "client_cert", "client_key");
  const at = (other: Config) => readConnection(other, features);
  const { hasNoHosts, ...read } = features.read("search", section, [PLACE.offer({ hosts, at })]);
  if (hosts.length === 0 && !hasNoHosts) {
    const message = "A connection needs at least one host, such as http://localhost:9200";
    throw section.error("hosts", message);
  }
  return defined<SearchConnection>({
    name,
    hosts: hosts.map(({ url }) => url),
    ...read,
    authorization: authorizationOf(section, hosts[0]?.credentials),
    proxy: proxyOf(section),
    timeoutMs: milliseconds(section, "timeout") ?? TIMEOUT_MS,
    connectTimeoutMs: milliseconds(section, "connect_timeout") ?? CONNECT_TIMEOUT_MS,
    verifyTls: section.boolean("ssl_verification", true),
    caCert: pemOf(section, "ca_cert", "certificate"),
    clientCert: pemOf(section, "client_cert", "certificate"),
    clientKey: pemOf(section, "client_key", "key"),
    migrationsEnabled: section.boolean("migrations.enabled", false),
    onChange: choiceOf(section, "migrations.on_change", ["fail", "reapply"], "reapply"),
    placeholders: placeholdersOf(section),
  });
}

/** Values keep their types: a file may use a number, a list or a map, or a part of a map by a dotted name. */
function placeholdersOf(section: Config): Placeholders | undefined {
  const values = section.section("migrations.placeholders");
  if (values === undefined || values.keys().length === 0) return undefined;
  return Object.fromEntries(namesIn(values).map((name) => [name, placeholderOf(values, name)]));
}

function namesIn(values: Config, above = ""): readonly string[] {
  return values.keys().flatMap((key) => {
    const name = `${above}${key}`;
    const value = values.get(key);
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    return isMap ? [name, ...namesIn(values.section(key)!, `${name}.`)] : [name];
  });
}

function placeholderOf(values: Config, name: string): PlaceholderValue {
  if (!/^[^\s{}"\\]+$/.test(name)) {
    const message = "Expected a name without blanks, quotes and braces, as files write it: ${name}";
    throw values.error(name, message);
  }
  const data = values.get(name) ?? null;
  if (typeof data === "object") {
    return { data, json: jsonOf(values, name, data), ...(data === null && { text: "" }) };
  }
  const text = values.string(name)!;
  // As written, if JSON allows it: `1.0`.
  const isNumber = typeof data === "number" &&
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text);
  return { data, json: isNumber ? text : jsonOf(values, name, data), text };
}

function jsonOf(values: Config, name: string, data: ConfigValue): string {
  return JSON.stringify(data, (_, value) => {
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    throw values.error(name, "Expected a JSON value, found a number that is not finite");
  });
}

function hostsOf(section: Config): readonly Host[] {
  return (section.strings("hosts") ?? []).map((text, index) => {
    const key = `hosts[${index}]`;
    const url = parseUrl(section, key, text);
    if (url.search !== "" || url.hash !== "") {
      throw section.error(key, "Expected a URL without query and fragment");
    }
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    return {
      url: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`,
      ...(url.username !== "" && { credentials }),
    };
  });
}

function proxyOf(section: Config): string | false | undefined {
  const value = section.get("proxy") ?? undefined;
  if (value === undefined) return undefined;
  if (value === false || value === "false") return false;
  return parseUrl(section, "proxy", section.string("proxy")!).href;
}

function parseUrl(section: Config, key: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (/^[^@]*%(?![\da-f]{2})[^@]*@/i.test(text) || (text.includes("@") && !url?.username)) {
    throw section.error(
      key,
      "The user or the password has a character that a URL needs percent-encoded (% as %25, ? as %3F, # as %23, " +
        "/ as %2F, @ as %40): encode it, or set 'username' and 'password' instead",
    );
  }
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw section.error(key, "Expected a URL that starts with http:// or https://");
}

function authorizationOf(section: Config, ofUrl: string | undefined): string | undefined {
  const [apiKey, bearer] = [section.string("api_key"), section.string("bearer_token")];
  const [username, password] = [section.string("username"), section.string("password")];
  if (apiKey !== undefined) return `ApiKey ${headerValue(section, "api_key", apiKey)}`;
  if (bearer !== undefined) return `Bearer ${headerValue(section, "bearer_token", bearer)}`;
  if (username !== undefined) {
    return `Basic ${base64(`${username}:${withoutFinalLineBreak(password ?? "")}`)}`;
  }
  if (password) throw section.error("password", "Expected 'username' to be set, too");
  return ofUrl === undefined ? undefined : `Basic ${base64(ofUrl)}`;
}

/** A runtime would repeat other characters in its error. */
function headerValue(section: Config, key: string, secret: string): string {
  const value = withoutFinalLineBreak(secret);
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw section.error(key, "Expected ASCII characters without spaces and line breaks");
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
