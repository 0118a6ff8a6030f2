import { ConnectionError } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import type { SqlEnvironment, Table } from "../../migrations/sql/types.ts";

export type Query = (sql: string) => Promise<Table>;

/** For files, for the lock, and for records of files without a transaction. */
const NEEDED = { postgresql: 3, mysql: 2 };

const LEFT = {
  postgresql: "SELECT LEAST(current_setting('max_connections')::int " +
    "- current_setting('superuser_reserved_connections')::int " +
    "- COALESCE(current_setting('reserved_connections', true)::int, 0) " +
    "- (SELECT sum(numbackends) FROM pg_stat_database), " +
    "(SELECT NULLIF(rolconnlimit, -1) - (SELECT count(*) FROM pg_stat_activity a " +
    "WHERE a.usesysid = r.oid) FROM pg_roles r WHERE r.rolname = current_user)) AS free",
  mysql: "SELECT @@max_connections AS free, NULLIF(@@max_user_connections, 0) - (SELECT COUNT(*) " +
    "FROM information_schema.PROCESSLIST WHERE USER = SUBSTRING_INDEX(CURRENT_USER(), '@', 1)) AS own",
};
const THREADS = "SHOW STATUS LIKE 'Threads_connected'";

/** How many of the tenants at a time have enough connections. @throws {ConnectionError} */
export async function atOnceOf(
  tenants: number,
  { name, kind, engine, each }: Datasource,
  { using, onNotice }: SqlEnvironment,
  query: Query,
): Promise<number> {
  if (engine === "pglite") return 1;
  const { of, parallel, query: asked } = each!;
  const wanted = Math.min(parallel, tenants);
  // The URLs of a list may lead to several servers, and none to that of the datasource.
  if (kind === "sqlite" || (of === "urls" && asked === undefined)) return wanted;
  const { free, own = null } = (await query(LEFT[kind])).rows[0]!;
  const used = kind === "postgresql" ? 0 : (await query(THREADS)).rows[0]?.Value;
  // Of a pool of the application, one connection is asked who the tenants are.
  const { options, pool = using } = of === "schemas" ? Object(using) : {};
  const most = options?.max ?? pool?.config?.connectionLimit ?? Infinity;
  const left = Math.min(Number(free) - Number(used), Number(own ?? Infinity), most - 1);
  const possible = Math.floor(left / NEEDED[kind]);
  if (possible >= wanted) return wanted;
  const message = `A tenant needs up to ${NEEDED[kind]} connections, of which ${left} are free`;
  if (possible < 1) throw new ConnectionError(name, message);
  onNotice(`${message}: migrates ${possible} at a time instead of ${wanted}`);
  return possible;
}
