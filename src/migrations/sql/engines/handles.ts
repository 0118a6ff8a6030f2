import { ConfigError } from "../../../config/mod.ts";
import { resolve } from "../../../runtime/path.ts";
import { defined, errorOf } from "../../../text/mod.ts";
import type { DatabaseSync } from "./sqlite/driver.ts";
import { type Address, type Engine, parseUrl } from "../connect/url.ts";

/** What Bun.SQL connects to; postgres.js has no such option. */
const ADAPTERS: Readonly<Record<string, Engine>> = {
  ...{ undefined: "postgresql", postgres: "postgresql", sqlite: "batch" },
};

type Handle = Readonly<Record<string, unknown>>;

function engineOf(using: object): Engine {
  const handle: Handle = Object(using);
  const has = (...names: string[]) => names.every((name) => typeof handle[name] === "function");
  if (has("execProtocol", "runExclusive")) return "pglite";
  if (has("batch", "execute", "migrate") || has("batch", "prepare", "exec")) return "batch";
  if (has("reserve", "unsafe") && !has("release")) {
    const engine = ADAPTERS[`${Object(handle.options).adapter}`];
    if (engine) return engine;
  }
  if (has("connect") && typeof handle.totalCount === "number") return "postgresql";
  if (has("getConnection")) return "mysql";
  // Packages with a `transaction()` give rows in another form.
  if (has("prepare", "exec") && !has("query") && !has("transaction")) return "sqlite";
  throw new TypeError(reasonAgainst(has, typeof using === "function"));
}

function reasonAgainst(has: (...names: string[]) => boolean, isFunction: boolean): string {
  if (isFunction && has("query", "transaction")) {
    return "Expected the Pool of '@neondatabase/serverless', found its function 'neon()': a request by HTTP " +
      "has no session, so that a run could keep no lock";
  }
  if (has("reserve") && !has("release")) {
    return "Bun.SQL does not tell whether a transaction of MySQL is open, and cannot reset a session: use a " +
      "pool of 'mysql2'";
  }
  if (has("connect", "query") || has("release")) {
    return "Expected a pool, found a single connection: a run needs separate connections for its lock, its " +
      "files and its records";
  }
  return "Expected a Pool of 'pg' or '@neondatabase/serverless', an instance of 'postgres' or Bun.SQL, a pool " +
    "of 'mysql2', a PGlite, a DatabaseSync of 'node:sqlite', a client of '@libsql/client' or a D1Database";
}

/** @throws {ConfigError} for a connection that migrations cannot use */
export function addressesOf(
  using: Readonly<Record<string, object>>,
  cwd: string,
): Readonly<Record<string, Address>> {
  return Object.fromEntries(
    Object.entries(using).map(([name, handle]) => {
      try {
        return [name, addressOf(handle, cwd)];
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        throw new ConfigError(`Cannot use the connection for '${name}': ${error.message}`);
      }
    }),
  );
}

function addressOf(using: object, cwd: string): Address {
  const handle: Handle = Object(using);
  switch (engineOf(using)) {
    case "pglite":
      return local("postgresql", absolute(cwd, handle.dataDir), "pglite");
    case "batch":
      return local("sqlite", undefined, "batch");
    case "sqlite":
      return local("sqlite", fileOf(using));
    case "postgresql":
      return remote("postgresql", Object(handle.options));
    case "mysql": {
      const { connectionConfig } = Object(Object(Object(handle.pool ?? handle).config));
      return remote("mysql", Object(connectionConfig));
    }
  }
}

function local(kind: Address["kind"], file?: string, engine?: Address["engine"]): Address {
  const database = file ?? ":memory:";
  return { kind, database, parameters: new Map(), ...(engine && { engine }) };
}

function absolute(cwd: string, folder: unknown): string | undefined {
  if (typeof folder !== "string" || folder === "" || folder.startsWith("memory://")) {
    return undefined;
  }
  return resolve(cwd, folder.replace(/^file:\/\//, ""));
}

/** The database itself knows its file in every version of `node:sqlite`. @throws {TypeError} when it is closed */
function fileOf(using: object): string | undefined {
  const database = using as DatabaseSync;
  try {
    const query = "SELECT file FROM pragma_database_list WHERE name = 'main'";
    const [file] = Object.values(database.prepare(query).all()[0] ?? {});
    return typeof file === "string" && file !== "" ? file : undefined;
  } catch (error) {
    throw new TypeError(`Expected a database that is open: ${errorOf(error).message}`);
  }
}

interface PoolOptions {
  readonly connectionString?: string;
  readonly host?: string | readonly string[];
  readonly hostname?: string;
  readonly socketPath?: string;
  readonly port?: number | string | readonly number[];
  readonly user?: string;
  readonly username?: string;
  readonly password?: unknown;
  readonly pass?: unknown;
  readonly database?: string;
}

function remote(kind: Address["kind"], options: PoolOptions): Address {
  const { host, hostname, socketPath, port, database = "", connectionString } = options;
  if (connectionString !== undefined) {
    try {
      return { ...parseUrl(connectionString), parameters: new Map() };
    } catch {
      // Then the driver knows more forms than this library does.
    }
  }
  const { user: username = options.username, password = options.pass } = options;
  const place = {
    host: socketPath ?? [host ?? hostname].flat()[0],
    port: port === undefined ? undefined : Number([port].flat()[0]),
    username,
    password: typeof password === "string" ? password : undefined,
  };
  return { kind, database, parameters: new Map(), ...defined(place) };
}
