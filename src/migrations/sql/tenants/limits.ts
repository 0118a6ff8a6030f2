import { ConnectionError } from "../../runner/mod.ts";
import type { Datasource } from "../connect/datasource.ts";
import type { Each } from "../connect/each.ts";
import type { Table } from "../types.ts";
import type { Tenant } from "./names.ts";

/** The connections that a run needs: for files, for the lock, and for records of files without a transaction. */
const NEEDED = { postgresql: 3, mysql: 2, sqlite: 0 };

/** How many connections are free: of the server, of the database and of the user. Each asks for one column. */
const FREE: Readonly<Record<"postgresql" | "mysql", readonly string[]>> = {
  postgresql: [
    "SELECT LEAST(current_setting('max_connections')::int " +
    "- current_setting('superuser_reserved_connections')::int " +
    "- COALESCE(current_setting('reserved_connections', true)::int, 0) " +
    "- (SELECT sum(numbackends) FROM pg_stat_database), " +
    "(SELECT NULLIF(datconnlimit, -1) - s.numbackends FROM pg_database d " +
    "JOIN pg_stat_database s ON s.datid = d.oid WHERE d.datname = current_database()), " +
    "(SELECT NULLIF(rolconnlimit, -1) - (SELECT count(*) FROM pg_stat_activity a " +
    "WHERE a.usesysid = r.oid) FROM pg_roles r WHERE r.rolname = current_user)) AS free",
  ],
  mysql: [
    "SELECT LEAST(@@max_connections, COALESCE(NULLIF(@@max_user_connections, 0), " +
    "@@max_connections)) AS free",
    "SHOW GLOBAL STATUS LIKE 'Threads_connected'",
  ],
};

export interface Surroundings {
  readonly using: object | undefined;
  onNotice(message: string): void;
  query(sql: string): Promise<Table>;
  queryAt(tenant: Datasource, sql: string): Promise<Table>;
}

/** How many tenants are migrated at a time: as configured, as far as the servers have free connections. @throws {ConnectionError} */
export async function atOnceOf(
  tenants: readonly Tenant[],
  { name, kind, engine }: Datasource,
  { of, parallel }: Each<Datasource>,
  around: Surroundings,
): Promise<number> {
  if (engine === "pglite") return 1;
  const wanted = Math.min(parallel, tenants.length);
  if (kind === "sqlite" || wanted === 0) return wanted;
  const [first, ...others] = FREE[kind];
  const free: number[] = [];
  for (const ask of of === "schemas" ? [around.query] : askers(tenants, around)) {
    const answer = await ask(first!);
    let left = Number(answer.rows[0]?.free);
    for (const sql of others) left -= Number((await ask(sql)).rows[0]?.Value);
    if (!Number.isNaN(left)) free.push(left);
  }
  const size = of === "schemas" ? poolSize(around.using) : undefined;
  const least = Math.min(...free, size ?? Infinity);
  const possible = Math.floor(least / NEEDED[kind]);
  if (possible >= wanted) return wanted;
  const found = size === least ? "the pool of the application has" : "the server has";
  const message = `A tenant needs up to ${NEEDED[kind]} connections, and ${found} ${least} free`;
  if (possible < 1) throw new ConnectionError(name, message);
  around.onNotice(`${message}: migrates ${possible} tenants at a time instead of ${wanted}`);
  return possible;
}

/** One for each server; a tenant that cannot be asked reports that itself. */
function askers(tenants: readonly Tenant[], { queryAt }: Surroundings): Surroundings["query"][] {
  const servers = Map.groupBy(tenants, ({ datasource: { host, port } }) => `${host}:${port}`);
  return [...servers.values()].map(([tenant]) => (sql) =>
    queryAt(tenant!.datasource, sql).catch(() => ({ columns: [], rows: [] }))
  );
}

/** Of a pool of `pg` or `mysql2`, one connection of which asks who the tenants are. */
function poolSize(using: object | undefined): number | undefined {
  if (using === undefined) return undefined;
  const { options, pool = using, config = Object(pool).config } = Object(using);
  const size = Object(options).max ?? Object(config).connectionLimit;
  return typeof size === "number" ? size - 1 : undefined;
}
