import { ConfigError } from "../../../config/mod.ts";
import { resolve } from "../../../runtime/path.ts";
import { defined } from "../../../text/mod.ts";
import { ENGINES } from "../engines/table.ts";
import type { Handle, PoolOptions } from "../types.ts";
import type { Address, AddressDetails } from "./datasource.ts";
import { addressIn, parseUrl } from "./url.ts";

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
  const handle: Handle["handle"] = Object(using);
  const has: Handle["has"] = (...names) =>
    names.every((name) => typeof handle[name] === "function");
  for (const name of Object.keys(ENGINES)) {
    const found = ENGINES[name]!.recognize({ handle, has });
    if (found === undefined) continue;
    if (found.pool) return { ...addressIn(name), ...poolAddress(found.pool) };
    const database = found.file ? resolve(cwd, found.file) : found.file === "" ? ":memory:" : "";
    return { ...addressIn(name), database, parameters: new Map() };
  }
  throw new TypeError(reasonAgainst(has, typeof using === "function"));
}

function reasonAgainst(has: Handle["has"], isFunction: boolean): string {
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
  const serversFirst = Object.values(ENGINES).toSorted((one, other) => other.port - one.port);
  return `Expected ${serversFirst.flatMap(({ handles }) => handles || []).join(", ")}`;
}

function poolAddress(options: PoolOptions): AddressDetails {
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
  return { database, parameters: new Map(), ...defined(place) };
}
