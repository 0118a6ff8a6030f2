import { isAbsolute, join } from "@std/path";
import type { Config } from "../../config/mod.ts";
import { Secret } from "./secret.ts";
import { readTls, type TlsSettings } from "./tls.ts";
import { type Address, parseUrl } from "./url.ts";

/** A SQL database as the configuration describes it. */
export interface Datasource {
  /** Also the name of its folder of migrations. */
  readonly name: string;
  readonly kind: Address["kind"];
  /** Whether the application takes this one where it names none. */
  readonly isPrimary: boolean;
  /** Name of the database; for SQLite an absolute path, or `:memory:`. */
  readonly database: string;
  /** Name or address, or the absolute path of a socket (MySQL) or of its folder (PostgreSQL). */
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: Secret;
  /** PostgreSQL's `search_path`, where the URL sets it. */
  readonly schema?: string;
  readonly tls?: TlsSettings;
  /** Milliseconds. */
  readonly connectTimeoutMs: number;
  /** Milliseconds for one statement; none when absent. */
  readonly statementTimeoutMs?: number;
  readonly migrations: {
    readonly enabled: boolean;
    /** What a file does that was edited after it was applied. */
    readonly onChange: "fail" | "reapply";
    /** Values for `${name}` in files; without any, files are sent as they are. */
    readonly placeholders: Readonly<Record<string, string>>;
  };
}

const PORTS = { sqlite: 0, postgresql: 5432, mysql: 3306 };
const MAX_NAME = 190;
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
 * ```
 *
 * @throws {ConfigError} naming file and key; never with a password in it
 */
export function readDatasources(config: Config): readonly Datasource[] {
  const names = new Set<string>();
  return config.sections("datasource").map((section) => {
    const datasource = readDatasource(section);
    if (names.has(datasource.name)) {
      throw section.error("name", `There are two datasources '${datasource.name}'`);
    }
    names.add(datasource.name);
    return datasource;
  });
}

function readDatasource(config: Config): Datasource {
  const address = readAddress(config);
  const parameters = new Map(address.parameters);
  const username = config.string("username") ?? address.username;
  const password = config.string("password") ?? address.password;
  const tls = readTls(config, parameters);
  const connectTimeout = secondsOfUrl(parameters);
  const statementTimeoutMs = readSeconds(config, "statement_timeout");
  const schema = take(parameters, "currentschema");
  refuseUnknown(config, parameters);
  if (address.kind === "sqlite") refuseForSqlite(config, tls, statementTimeoutMs);
  return {
    name: readName(config),
    kind: address.kind,
    isPrimary: config.boolean("is_primary", false),
    database: address.kind === "sqlite" ? sqlitePath(config, address) : address.database,
    host: address.host ?? "localhost",
    port: address.port ?? PORTS[address.kind],
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password: new Secret(password) }),
    ...(schema !== undefined && { schema }),
    ...(tls !== undefined && { tls }),
    connectTimeoutMs: readSeconds(config, "connect_timeout") ?? connectTimeout ?? 5000,
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    migrations: readMigrations(config),
  };
}

function readName(config: Config): string {
  const name = config.string("name");
  if (name === undefined || name.trim() === "") {
    throw config.error("name", "A datasource needs a name, which is also that of its folder");
  }
  if (name.length > MAX_NAME || /[/\\\0]|^\.\.?$/.test(name)) {
    const message = `The name has to be that of a folder, at most ${MAX_NAME} characters long`;
    throw config.error("name", message);
  }
  return name;
}

function readAddress(config: Config): Address {
  const url = config.string("url");
  if (url === undefined) throw config.error("url", "A datasource needs a URL");
  try {
    return parseUrl(url);
  } catch (error) {
    throw error instanceof TypeError ? config.error("url", error.message) : error;
  }
}

function sqlitePath(config: Config, { database }: Address): string {
  if (database === ":memory:" || isAbsolute(database)) return database;
  return join(config.root, database);
}

function readSeconds(config: Config, key: string): number | undefined {
  const seconds = config.number(key);
  if (seconds === undefined) return undefined;
  if (seconds > 0 && seconds <= 2_000_000) return Math.max(1, Math.round(seconds * 1000));
  throw config.error(key, `Expected seconds above 0 and found '${seconds}'`);
}

function secondsOfUrl(parameters: Map<string, string>): number | undefined {
  const seconds = Number(take(parameters, "connecttimeout") ?? Number.NaN);
  return seconds > 0 ? seconds * 1000 : undefined;
}

function readMigrations(config: Config): Datasource["migrations"] {
  const onChange = config.string("migrations.on_change", "fail");
  if (onChange !== "fail" && onChange !== "reapply") {
    const message = `Expected 'fail' or 'reapply' and found '${onChange}'`;
    throw config.error("migrations.on_change", message);
  }
  const values = config.section("migrations.placeholders");
  const placeholders: Record<string, string> = {};
  for (const name of values?.keys() ?? []) placeholders[name] = values?.string(name) ?? "";
  return { enabled: config.boolean("migrations.enabled", false), onChange, placeholders };
}

function take(parameters: Map<string, string>, name: string): string | undefined {
  const value = parameters.get(name);
  parameters.delete(name);
  return value;
}

/** A parameter that is not understood may be one that protects: better no connection than another one. */
function refuseUnknown(config: Config, parameters: ReadonlyMap<string, string>): void {
  for (const name of parameters.keys()) {
    if (WITHOUT_EFFECT.has(name)) continue;
    throw config.error("url", `The URL has a parameter '${name}' that is not supported: remove it`);
  }
}

function refuseForSqlite(
  config: Config,
  tls: TlsSettings | undefined,
  statementTimeoutMs: number | undefined,
): void {
  if (tls !== undefined) {
    throw config.error("ssl", "SQLite has no connection to encrypt: remove it");
  }
  if (statementTimeoutMs !== undefined) {
    throw config.error("statement_timeout", "SQLite cannot limit a statement's time: remove it");
  }
}
