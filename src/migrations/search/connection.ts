import type { Config, ConfigValue } from "../../config/mod.ts";
import {
  checkKeys,
  checkPair,
  choiceOf,
  connectionName,
  connectionsIn,
  milliseconds,
  pemOf,
} from "../runner/mod.ts";
import { withoutFinalLineBreak } from "../../text/mod.ts";
import { defined } from "./json/json_values.ts";
import type {
  AwsSettings,
  Placeholders,
  PlaceholderValue,
  ReindexSettings,
  SearchConnection,
} from "./types.ts";

/** Longer than the 30 s that clusters wait for shards and confirmations before they answer. */
const TIMEOUT_MS = 40_000;
const CONNECT_TIMEOUT_MS = 5_000;
const WRITE_PAUSE_MS = 30_000;

const MIGRATIONS_KEYS = [
  ...["enabled", "on_change", "index_changes", "write_pause", "requests_per_second"],
  ...["old_indices", "reindex_pipeline", "placeholders", "policy_changes"],
];
export const SEARCH_KEYS: readonly string[] = [
  ...["name", "hosts", "username", "password", "api_key", "bearer_token", "auth", "proxy"],
  ...["timeout", "connect_timeout", "ssl_verification", "ca_cert", "client_cert", "client_key"],
  ...MIGRATIONS_KEYS.map((key) => `migrations.${key}`),
];

/** Reads the list `search` of the configuration (reference 2.8); a single map counts as a list of one. */
export function readSearchConnections(config: Config): readonly SearchConnection[] {
  return connectionsIn(config, "search", SEARCH_KEYS, (section) => {
    const name = connectionName(section);
    const hosts = hostsOf(section);
    checkKeys(section, "migrations", MIGRATIONS_KEYS);
    checkPair(section, "client_cert", "client_key");
    return defined<SearchConnection>({
      name,
      hosts: hosts.map(({ url }) => url),
      aws: awsOf(section, hosts),
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
      policyChanges: choiceOf(section, "migrations.policy_changes", ["keep", "apply"], "keep"),
      reindex: reindexOf(section),
      placeholders: placeholdersOf(section),
    });
  });
}

/** Values keep their types: a file may use a number, a list or a map, or a part of a map by a dotted name. */
function placeholdersOf(section: Config): Placeholders | undefined {
  const values = section.section("migrations.placeholders");
  const names = values === undefined ? [] : namesIn(values);
  if (values === undefined || names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, placeholderOf(values, name)]));
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

/** Every setting is checked even without `index_changes: reindex`, because profiles may set it separately. */
function reindexOf(section: Config): ReindexSettings | undefined {
  const changes = choiceOf(section, "migrations.index_changes", ["keep", "reindex"], "keep");
  const oldIndices = choiceOf(section, "migrations.old_indices", ["keep", "delete"], "keep");
  const writePauseMs = writePauseOf(section, "migrations.write_pause");
  const requestsPerSecond = section.number("migrations.requests_per_second");
  if (requestsPerSecond !== undefined && requestsPerSecond <= 0) {
    const message =
      `Expected a number of documents per second above 0, found '${requestsPerSecond}'`;
    throw section.error("migrations.requests_per_second", message);
  }
  const pipeline = section.string("migrations.reindex_pipeline");
  // The cluster reads these as a list, a pattern, or no pipeline.
  if (pipeline !== undefined && (!/^[^\s,*]+$/.test(pipeline) || pipeline === "_none")) {
    const message = `Expected the name of an ingest pipeline, found '${pipeline}'`;
    throw section.error("migrations.reindex_pipeline", message);
  }
  if (changes === "keep") return undefined;
  return defined<ReindexSettings>({ writePauseMs, oldIndices, requestsPerSecond, pipeline });
}

function writePauseOf(section: Config, key: string): ReindexSettings["writePauseMs"] {
  const text = section.string(key);
  if (text === "none") return text;
  if (text === undefined) return WRITE_PAUSE_MS;
  const expected = "Expected seconds above 0 or 'none'";
  if (isNaN(Number(text))) throw section.error(key, `${expected}, found '${text}'`);
  return milliseconds(section, key, expected)!;
}

interface Host {
  readonly url: string;
  readonly credentials?: string;
}

function hostsOf(section: Config): readonly Host[] {
  const hosts = section.strings("hosts") ?? [];
  if (hosts.length === 0) {
    throw section.error(
      "hosts",
      "A connection needs at least one host, such as http://localhost:9200",
    );
  }
  return hosts.map((text, index) => {
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
  if (value === undefined || value === false || value === "false") {
    return value === undefined ? undefined : false;
  }
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

function awsOf(section: Config, hosts: readonly Host[]): AwsSettings | undefined {
  checkKeys(section, "auth", ["type", "region", "service"]);
  const auth = section.section("auth");
  if (auth === undefined) return undefined;
  if (auth.string("type") === undefined) {
    throw auth.error("type", "Expected 'aws', found nothing");
  }
  choiceOf(auth, "type", ["aws"], "aws");
  const other = ["username", "password", "api_key", "bearer_token"]
    .find((key) => section.string(key) !== undefined);
  if (other !== undefined) {
    throw section.error(other, "Expected no other credentials, because 'auth' signs requests");
  }
  const withUser = hosts.findIndex(({ credentials }) => credentials !== undefined);
  if (withUser >= 0) {
    const message = "Expected a URL without credentials, because 'auth' signs requests";
    throw section.error(`hosts[${withUser}]`, message);
  }
  if (auth.string("service") === "aoss") {
    const message = "Amazon OpenSearch Serverless ('aoss') is not supported: expected 'es'";
    throw auth.error("service", message);
  }
  const region = auth.string("region");
  if (region !== undefined && !isRegion(region)) {
    throw auth.error("region", `Expected a region, such as eu-central-1, found '${region}'`);
  }
  return {
    service: choiceOf(auth, "service", ["es"], "es"),
    ...(region !== undefined && { region }),
    error: (message) => section.error("auth", message),
  };
}

export function isRegion(text: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(text);
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
