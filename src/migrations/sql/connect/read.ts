import { isAbsolute, join, resolve } from "../../../runtime/path.ts";
import type { Config } from "../../../config/mod.ts";
import {
  checkKeys,
  choiceOf,
  connectionName,
  connectionsIn,
  type Features,
  keysBelow,
  milliseconds,
  NO_FEATURES,
  refuseUnknownNames,
} from "../../runner/mod.ts";
import { defined, withoutFinalLineBreak } from "../../../text/mod.ts";
import { engineOf } from "../engines/table.ts";
import { PLACE } from "../offers.ts";
import type { Engine } from "../types.ts";
import { fold, folderOfConnection } from "./address.ts";
import { type Address, type Datasource, firstSchema } from "./datasource.ts";
import { Secret } from "./secret.ts";
import { readTls, take, type TlsSettings } from "./tls.ts";
import { parseUrl } from "./url.ts";

/** Parameters of URLs that other clients need and that change nothing here: text is always UTF-8. */
const WITHOUT_EFFECT = new Set(
  ("charset characterencoding useunicode clientencoding serverversion applicationname " +
    "allowpublickeyretrieval gssencmode").split(" "),
);

/**
 * Reads the list `datasource` of the configuration; a single map counts as a list of one.
 *
 * ```yaml
 * datasource:
 *   - name: main
 *     url: postgres://db.example.org/shop
 *     username: shop
 *     password: ${DB_PASSWORD}
 *     ssl: true
 *     migrations:
 *       enabled: true
 *       url: postgres://direct.example.org/shop   # where `url` leads to a pooler
 * ```
 *
 * @param used where connections lead that the application has already, by names: their datasources need no URL
 * @throws {ConfigError} naming file and key; never with a password in it
 */
export function readDatasources(
  config: Config,
  used: Readonly<Record<string, Address>> = {},
  features: Features = NO_FEATURES,
): readonly Datasource[] {
  // Else the one that was meant would be said to have no URL.
  refuseUnknownNames(config, ["datasource", "datasource"], "using", used);
  const keys = datasourceKeys(features);
  return connectionsIn(config, "datasource", keys, (section) => {
    const datasource = readDatasource(section, features, used[connectionName(section)]);
    checkKeys(section, "migrations", keysBelow(keys, "migrations"));
    return datasource;
  });
}

function readDatasource(
  config: Config,
  features: Features,
  used?: Address,
  other?: MigrationAddress,
): Datasource {
  const place = other ?? readAddresses(config, used);
  const { address, urlKey, username, password } = place;
  const parameters = new Map(address.parameters);
  const tls = readTls(config, urlKey, parameters);
  const connectTimeout = secondsOfUrl(parameters);
  const statementTimeoutMs = milliseconds(config, "statement_timeout");
  const schema = takeSearchPath(parameters);
  const engine = engineOf(used ?? address);
  refuseUnknown(config, urlKey, parameters);
  const { isEmbedded, schemes } = engine;
  if (isEmbedded) refuseEmbedded(config, engine, tls, statementTimeoutMs);
  const isOnlyHere = schemes.length === 0 || address === used && !isEmbedded;
  const { offers, historySchema, tablesBefore } = features.read("datasource", config, [
    PLACE.offer({
      engine,
      refuseProgram: (key) => isOnlyHere && refuseProgram(config, key),
      at: (urlKey, url) => datasourceAt(config, place, urlKey, url),
    }),
  ]);
  return {
    offers,
    name: connectionName(config),
    kind: engine.kind,
    database: isEmbedded ? localPath(config, address, used) : address.database,
    host: address.host ?? "localhost",
    port: address.port ?? engine.port,
    ...defined({
      engine: (used ?? address).engine,
      username,
      schema,
      historySchema: readHistorySchema(config, engine, schema) ?? historySchema,
      tls,
      statementTimeoutMs,
      tablesBefore,
    }),
    ...(password !== undefined && { password: new Secret(withoutFinalLineBreak(password)) }),
    connectTimeoutMs: milliseconds(config, "connect_timeout") ?? connectTimeout ?? 5000,
    migrations: readMigrations(config, engine),
  };
}

function datasourceAt(
  config: Config,
  { address, username, password }: MigrationAddress,
  urlKey: string,
  url: string,
): Datasource {
  const other = addressAt(config, urlKey, url);
  const portOf = (one: Address) => one.port ?? engineOf(one).port;
  const isSame = other.host === address.host && portOf(other) === portOf(address);
  return readDatasource(config, NO_FEATURES, undefined, {
    address: other,
    urlKey,
    username: other.username ?? (isSame ? username : undefined),
    password: other.password ?? (isSame ? password : undefined),
  });
}

interface MigrationAddress {
  readonly address: Address;
  readonly urlKey: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** The address that migrations use, and the credentials; `migrations.url` takes precedence over `url`. */
function readAddresses(config: Config, used: Address | undefined): MigrationAddress {
  const application = readAddress(config, "url") ?? used;
  if (application === undefined) {
    throw config.error("url", "Expected a URL such as 'postgres://localhost/app', found none");
  }
  if (used && used.kind !== application.kind) {
    const message = `Expected a ${used.kind} URL, because 'using' is a ${used.kind} connection`;
    throw config.error("url", message);
  }
  const own = readAddress(config, "migrations.url");
  if (own !== undefined && own.kind !== application.kind) {
    const message = "Expected another way to the database of 'url', found another kind of database";
    throw config.error("migrations.url", message);
  }
  return {
    address: own ?? application,
    urlKey: own ? "migrations.url" : "url",
    username: own?.username ?? config.string("username") ?? application.username,
    password: own?.password ?? config.string("password") ?? application.password,
  };
}

function refuseProgram(config: Config, key: string): never {
  const message =
    "The program that reads the schema connects by 'url', and there is none, or none that it can use: " +
    "what the application has does not tell how its connections are made";
  throw config.error(key, message);
}

function readAddress(config: Config, key: string): Address | undefined {
  const url = config.string(key);
  return url === undefined ? undefined : addressAt(config, key, url);
}

function addressAt(config: Config, key: string, url: string): Address {
  try {
    return parseUrl(url);
  } catch (error) {
    throw error instanceof TypeError ? config.error(key, error.message) : error;
  }
}

/** The limit of names in PostgreSQL, in bytes. */
const MAX_SCHEMA = 63;

function readHistorySchema(
  config: Config,
  { schemas }: Engine,
  path: string | undefined,
): string | undefined {
  const key = "migrations.history_schema";
  const schema = config.string(key);
  if (schema === undefined) return firstSchema(path);
  if (schemas !== "in databases") {
    throw config.error(key, "Only PostgreSQL databases have schemas: remove this setting");
  }
  const length = new TextEncoder().encode(schema).length;
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  if (length === 0 || length > MAX_SCHEMA || /[\u0000-\u001f"]/.test(schema)) {
    throw config.error(key, `Expected the name of a schema, found '${schema}'`);
  }
  return schema;
}

/** A binding of D1 does not tell where it leads, and a URL of D1 may. */
function localPath(config: Config, address: Address, used = address): string {
  const isUnknown = used.database === "" && engineOf(used) === engineOf(address);
  const { database } = isUnknown ? address : used;
  if (["", ":memory:"].includes(database) || isAbsolute(database)) return database;
  return join(config.root, database);
}

function secondsOfUrl(parameters: Map<string, string>): number | undefined {
  const seconds = Number(take(parameters, "connecttimeout") ?? Number.NaN);
  return seconds > 0 ? seconds * 1000 : undefined;
}

const KEYS: readonly string[] =
  ("name url username password is_primary ssl connect_timeout statement_timeout " +
    "migrations.enabled migrations.on_change migrations.placeholders migrations.url " +
    "migrations.history_schema migrations.lock_timeout migrations.folder").split(" ");

export function datasourceKeys(features: Features): readonly string[] {
  return [...KEYS, ...features.settings("datasource").flatMap(({ keys }) => keys)];
}

function readMigrations(config: Config, { lockTimeout, folder }: Engine): Datasource["migrations"] {
  const onChange = choiceOf(config, "migrations.on_change", ["fail", "reapply"], "fail");
  const lockTimeoutMs = milliseconds(config, "migrations.lock_timeout");
  if (lockTimeoutMs !== undefined && lockTimeout !== "of all files") {
    const message = "Only PostgreSQL has it for all files: remove it" +
      (lockTimeout === "of a file" ? ", or start files with '-- irori: lock-timeout'" : "");
    throw config.error("migrations.lock_timeout", message);
  }
  const path = config.string("migrations.folder");
  if (path !== undefined && folder !== folderOfConnection) {
    throw config.error("migrations.folder", "'migrations_dir' of wrangler names it: remove it");
  }
  const values = config.section("migrations.placeholders");
  const entries = values?.keys().map((name) => [name, values.string(name) ?? ""]);
  return {
    enabled: config.boolean("migrations.enabled", false),
    onChange,
    placeholders: Object.fromEntries(entries ?? []),
    ...defined({ lockTimeoutMs, folder: path && resolve(config.root, path) }),
  };
}

/** By `currentSchema`, or by `options=-c search_path=shop`, which the clients of applications understand. */
function takeSearchPath(parameters: Map<string, string>): string | undefined {
  const [, path] = /^-c search_path=([^\s\\]+)$/.exec(parameters.get("options") ?? "") ?? [];
  if (path !== undefined) parameters.delete("options");
  return take(parameters, "currentschema") ?? path;
}

/** A parameter that is not understood may be one that protects: better no connection than another one. */
function refuseUnknown(config: Config, key: string, parameters: ReadonlyMap<string, string>): void {
  for (const name of parameters.keys()) {
    if (WITHOUT_EFFECT.has(name)) continue;
    const names = `${config.string(key)}`.match(/[\w-]+(?==)/g) ?? [];
    const shown = names.find((written) => fold(written) === name) ?? name;
    const advice = name === "schema" ? "name the schema by 'currentSchema'" : "remove it";
    throw config.error(key, `The URL has a parameter '${shown}' that is not supported: ${advice}`);
  }
}

function refuseEmbedded(config: Config, { title }: Engine, tls?: TlsSettings, ms?: number): void {
  if (tls) throw config.error("ssl", `${title} has no connection to encrypt: remove it`);
  if (ms) throw config.error("statement_timeout", `${title} has no statement timeout: remove it`);
}
