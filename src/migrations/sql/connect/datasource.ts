import { isAbsolute, join, resolve } from "../../../runtime/path.ts";
import { type Config, ConfigError } from "../../../config/mod.ts";
import {
  checkKeys,
  choiceOf,
  connectionName,
  connectionsIn,
  milliseconds,
  refuseUnknownNames,
} from "../../runner/mod.ts";
import { defined, withoutFinalLineBreak } from "../../../text/mod.ts";
import { Secret } from "./secret.ts";
import { type Each, readEach } from "../../../features/tenants/each.ts";
import { readTls, type TlsSettings } from "./tls.ts";
import { type Address, fold, parseUrl } from "./url.ts";

export interface Datasource {
  /** Of a tenant: `shop[acme]`. */
  readonly name: string;
  /** The name in the records of a tenant, which are the same in every tenant. @default `name` */
  readonly recordedAs?: string;
  /** PostgreSQL: the schema of a tenant, which has a lock of its own. */
  readonly tenantSchema?: string;
  /** The tenants that files are applied to. @default none: the database itself */
  readonly each?: Each<Datasource>;
  readonly kind: Address["kind"];
  readonly engine?: Address["engine"];
  /** Name of the database; for SQLite and PGlite an absolute path, or `:memory:`. */
  readonly database: string;
  /** Name or address, or the absolute path of a socket (MySQL) or of its folder (PostgreSQL). */
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: Secret;
  /** PostgreSQL's `search_path`, where the URL sets it. */
  readonly schema?: string;
  /** PostgreSQL: the schema of the history table; by default the first existing one of the `search_path`. */
  readonly historySchema?: string;
  readonly tls?: TlsSettings;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs?: number;
  readonly migrations: {
    readonly enabled: boolean;
    /** PostgreSQL: how long a statement of a file that is one transaction may wait for a lock, in milliseconds. */
    readonly lockTimeoutMs?: number;
    readonly onChange: "fail" | "reapply";
    /** What is done about what is dangerous to apply. @default "off" */
    readonly lint?: "warn" | "error" | "off";
    readonly lintFrom?: string;
    /** Values for `${name}` in files; other names stay as they are. */
    readonly placeholders: Readonly<Record<string, string>>;
    readonly schemaFile?: string;
    /** Names of objects that `drift` leaves out, with `*` for any characters. @default none */
    readonly driftIgnore?: readonly string[];
  };
}

export const LOCK_TIMEOUT_MS = 5000;
const PORTS = { sqlite: 0, postgresql: 5432, mysql: 3306 };
/** Parameters of URLs that other clients need and that change nothing here: text is always UTF-8. */
const WITHOUT_EFFECT = new Set([
  ...["charset", "characterencoding", "useunicode", "clientencoding", "serverversion"],
  ...["applicationname", "allowpublickeyretrieval", "gssencmode"],
]);

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
): readonly Datasource[] {
  // Else the one that was meant would be said to have no URL.
  refuseUnknownNames(config, ["datasource", "datasource"], "using", used);
  const datasources = connectionsIn(config, "datasource", DATASOURCE_KEYS, (section) => {
    return readDatasource(section, used[connectionName(section)]);
  });
  refuseSharedFiles(datasources);
  return datasources;
}

function refuseSharedFiles(datasources: readonly Datasource[]): void {
  const names = new Map<string, string>();
  for (const { name, migrations: { enabled, schemaFile } } of datasources) {
    if (schemaFile === undefined || !enabled) continue;
    const other = names.get(schemaFile);
    if (other !== undefined) {
      const message =
        `The datasources '${other}' and '${name}' share one 'schema_file', '${schemaFile}'`;
      throw new ConfigError(`${message}; each needs a separate file`);
    }
    names.set(schemaFile, name);
  }
}

function readDatasource(config: Config, used?: Address, tenant?: Place): Datasource {
  const place = tenant ?? readAddresses(config, used);
  const { address, urlKey, username, password } = place;
  const parameters = new Map(address.parameters);
  const tls = readTls(config, urlKey, parameters);
  const connectTimeout = secondsOfUrl(parameters);
  const statementTimeoutMs = milliseconds(config, "statement_timeout");
  const schema = takeSearchPath(parameters);
  const each = readEach(config, address.kind, (url) => tenantAt(config, place, url));
  const historySchema = readHistorySchema(config, address, schema, each?.of);
  refuseUnknown(config, urlKey, parameters);
  const { engine } = used ?? address;
  const embedded = EMBEDDED[engine ?? address.kind];
  if (embedded !== undefined) refuseForEmbedded(config, embedded, tls, statementTimeoutMs);
  else if (address === used) refuseSchemaFile(config);
  if (engine === "batch") refuseSchemaFile(config);
  return {
    name: connectionName(config),
    kind: address.kind,
    ...(engine && { engine }),
    database: embedded === undefined ? address.database : localPath(config, used ?? address),
    host: address.host ?? "localhost",
    port: address.port ?? PORTS[address.kind],
    ...defined({ username, schema, historySchema, tls, statementTimeoutMs, each }),
    ...(password !== undefined && { password: new Secret(withoutFinalLineBreak(password)) }),
    connectTimeoutMs: milliseconds(config, "connect_timeout") ?? connectTimeout ?? 5000,
    migrations: readMigrations(config, address),
  };
}

/** The database of a tenant. Only its own server gets to know the credentials of the datasource. */
function tenantAt(config: Config, { address, username, password }: Place, url: string): Datasource {
  const urlKey = "migrations.each.urls";
  const tenant = addressAt(config, urlKey, url);
  const portOf = ({ kind, port = PORTS[kind] }: Address) => port;
  const isSame = tenant.host === address.host && portOf(tenant) === portOf(address);
  const { each: _, ...datasource } = readDatasource(config, undefined, {
    address: tenant,
    urlKey,
    username: tenant.username ?? (isSame ? username : undefined),
    password: tenant.password ?? (isSame ? password : undefined),
  });
  return datasource;
}

interface Place {
  readonly address: Address;
  readonly urlKey: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** The address that migrations use, and the credentials; `migrations.url` takes precedence over `url`. */
function readAddresses(config: Config, used: Address | undefined): Place {
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

function refuseSchemaFile(config: Config): void {
  const key = "migrations.schema_file";
  if (config.string(key) === undefined) return;
  const message =
    "The program that reads the schema connects by 'url', and there is none, or none that it can use: " +
    "what the application has does not tell how its connections are made";
  throw config.error(key, message);
}

const EMBEDDED: Record<string, string> = { sqlite: "SQLite", pglite: "PGlite", batch: "SQLite" };

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

/** What fits into a name of PostgreSQL, in bytes. */
const MAX_SCHEMA = 63;

function readHistorySchema(
  config: Config,
  { kind }: Address,
  path: string | undefined,
  each: "schemas" | "urls" | undefined,
): string | undefined {
  const key = "migrations.history_schema";
  const schema = config.string(key);
  if (schema === undefined) {
    // Every tenant has a history table, so that it cannot be looked for.
    return firstSchema(path) ??
      (each === "schemas" && kind === "postgresql" ? "public" : undefined);
  }
  if (kind !== "postgresql") {
    throw config.error(key, "Only PostgreSQL databases have schemas: remove this setting");
  }
  const length = new TextEncoder().encode(schema).length;
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  if (length === 0 || length > MAX_SCHEMA || /[\u0000-\u001f"]/.test(schema)) {
    throw config.error(key, `Expected the name of a schema, found '${schema}'`);
  }
  return schema;
}

/** The first schema of a `search_path`, which folds the case of names without quotes; `$user` names none. */
export function firstSchema(searchPath: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^\s*(?:"((?:[^"]|"")+)"|([^\s",$]+))\s*(?:,|$)/.exec(searchPath ?? "") ??
      [];
  return quoted === "$user" ? undefined : quoted?.replaceAll('""', '"') ?? plain?.toLowerCase();
}

function localPath(config: Config, { database }: Address): string {
  if (database === ":memory:" || isAbsolute(database)) return database;
  return join(config.root, database);
}

function secondsOfUrl(parameters: Map<string, string>): number | undefined {
  const seconds = Number(take(parameters, "connecttimeout") ?? Number.NaN);
  return seconds > 0 ? seconds * 1000 : undefined;
}

const MIGRATIONS_KEYS = [
  ...["enabled", "on_change", "placeholders", "url", "history_schema", "lock_timeout"],
  ...["lint", "lint_from", "schema_file", "drift_ignore", "each"],
];
export const DATASOURCE_KEYS: readonly string[] = [
  ...["name", "url", "username", "password", "is_primary", "ssl", "connect_timeout"],
  ...["statement_timeout", ...MIGRATIONS_KEYS.map((key) => `migrations.${key}`)],
];

function readMigrations(config: Config, { kind }: Address): Datasource["migrations"] {
  checkKeys(config, "migrations", MIGRATIONS_KEYS);
  const onChange = choiceOf(config, "migrations.on_change", ["fail", "reapply"], "fail");
  const lockTimeoutMs = milliseconds(config, "migrations.lock_timeout");
  if (lockTimeoutMs !== undefined && kind !== "postgresql") {
    const message = "Only PostgreSQL has it for all files: remove it" +
      (kind === "mysql" ? ", or start files with '-- irori: lock-timeout'" : "");
    throw config.error("migrations.lock_timeout", message);
  }
  const values = config.section("migrations.placeholders");
  const placeholders: Record<string, string> = {};
  for (const name of values?.keys() ?? []) placeholders[name] = values?.string(name) ?? "";
  const lint = choiceOf(config, "migrations.lint", ["warn", "error", "off"], "warn");
  const lintFrom = config.string("migrations.lint_from");
  const schemaFile = config.string("migrations.schema_file");
  if (schemaFile?.trim() === "") {
    throw config.error("migrations.schema_file", "Expected the path of a file, found none");
  }
  if (schemaFile !== undefined && config.get("migrations.each") != null) {
    throw config.error("migrations.schema_file", "It cannot be of several tenants: remove it");
  }
  const driftIgnore = config.strings("migrations.drift_ignore");
  return {
    enabled: config.boolean("migrations.enabled", false),
    onChange,
    lint,
    placeholders,
    ...defined({ lintFrom, lockTimeoutMs, driftIgnore }),
    ...(schemaFile !== undefined && { schemaFile: resolve(config.root, schemaFile) }),
  };
}

function take(parameters: Map<string, string>, name: string): string | undefined {
  const value = parameters.get(name);
  parameters.delete(name);
  return value;
}

/** By `currentSchema`, or by `options=-c search_path=shop`, which the clients of applications understand. */
function takeSearchPath(parameters: Map<string, string>): string | undefined {
  const [, path] = /^-c search_path=([^\s\\]+)$/.exec(parameters.get("options") ?? "") ?? [];
  if (path !== undefined) parameters.delete("options");
  return take(parameters, "currentschema") ?? path;
}

/** A parameter that is not understood may be one that protects: better no connection than another one. */
function refuseUnknown(
  config: Config,
  key: string,
  parameters: ReadonlyMap<string, string>,
): void {
  for (const name of parameters.keys()) {
    if (WITHOUT_EFFECT.has(name)) continue;
    const names = `${config.string(key)}`.match(/[\w-]+(?==)/g) ?? [];
    const shown = names.find((written) => fold(written) === name) ?? name;
    const advice = name === "schema" ? "name the schema by 'currentSchema'" : "remove it";
    throw config.error(key, `The URL has a parameter '${shown}' that is not supported: ${advice}`);
  }
}

function refuseForEmbedded(
  config: Config,
  name: string,
  tls: TlsSettings | undefined,
  statementTimeoutMs: number | undefined,
): void {
  if (tls !== undefined) {
    throw config.error("ssl", `${name} has no connection to encrypt: remove it`);
  }
  if (statementTimeoutMs !== undefined) {
    throw config.error("statement_timeout", `${name} has no statement timeout: remove it`);
  }
}
