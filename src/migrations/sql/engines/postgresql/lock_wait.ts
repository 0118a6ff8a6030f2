import type { LockWait } from "../../types.ts";
import { lockingSession } from "../shared/connections.ts";
import type { Row } from "./driver.ts";

/** The same lock as that of `w`, for another session. */
const SAME_LOCK = "(h.locktype, h.database, h.relation, h.page, h.tuple, h.virtualxid, " +
  "h.transactionid, h.classid, h.objid, h.objsubid) IS NOT DISTINCT FROM " +
  "(w.locktype, w.database, w.relation, w.page, w.tuple, w.virtualxid, " +
  "w.transactionid, w.classid, w.objid, w.objsubid)";

/**
 * The locks that the session of the files waits for, in one row for each session that it waits for: first those that hold
 * the lock, then those that wait for it too and came before; the oldest transaction first.
 */
export const lockWaitQuery = (orphan: string): string =>
  "SELECT w.locktype, w.mode, n.nspname AS schema, c.relname AS name, " +
  "b.pid, a.usename AS user, NULLIF(a.application_name, '') AS application, a.state, " +
  // Only some users may see the statements of others.
  "NULLIF(a.query, '<insufficient privilege>') AS query, " +
  // Transactions that are prepared have no process; they wait for nothing.
  "b.pid <> 0 AND NOT EXISTS (SELECT FROM pg_locks h WHERE h.pid = b.pid AND h.granted " +
  `AND ${SAME_LOCK}) AS queued, ` +
  "to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') AS since, " +
  "extract(epoch FROM clock_timestamp() - a.xact_start)::int AS seconds " +
  `FROM (${orphan}) m JOIN pg_locks w ON w.pid = m.pid AND NOT w.granted ` +
  "CROSS JOIN LATERAL unnest(pg_blocking_pids(w.pid)) b(pid) " +
  "LEFT JOIN pg_stat_activity a ON a.pid = b.pid " +
  "LEFT JOIN pg_class c ON c.oid = w.relation LEFT JOIN pg_namespace n ON n.oid = c.relnamespace " +
  "ORDER BY queued, a.xact_start NULLS LAST";
/** Ends a look in a transaction that stays open: what it has locked of the catalog is given back. */
export const END_LOOK = ["ROLLBACK TO irori", "RELEASE irori"] as const;

export function lockWaitOf(rows: readonly Row[]): LockWait | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const holders = rows.map((row) => {
    return { ...lockingSession("process", row.pid, row), isQueued: row.queued === "t" };
  });
  return { lock: lockOf(first), holders, isCertain: true };
}

function lockOf({ locktype, mode, schema, name }: Row): string {
  if (/^(?:transactionid|virtualxid)$/.test(`${locktype}`)) return "the end of another transaction";
  // AccessExclusiveLock is ACCESS EXCLUSIVE in SQL.
  const words = `${mode}`.replace(/Lock$/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ").toUpperCase();
  return `${words} on ` +
    (name === null ? `an object of the kind '${locktype}'` : `${schema}.${name}`);
}
