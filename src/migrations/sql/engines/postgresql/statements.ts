import { TABLE } from "../../journal/records.ts";
import type { Command } from "../../types.ts";
import { inline, literal } from "./driver.ts";

/** One lock for a database: its history table is one, however many connections share it. The bytes of "irori". */
const LOCK = 0x69726f7269n;

export interface LockStatements {
  /** Tries to take the lock, in the transaction that {@linkcode beginLock} begins. */
  readonly tryLock: string;
  /** Fails when the lock is free. A run that has taken it meanwhile conflicts with the records of this run. */
  readonly ensureHeld: string;
  /** Keeps the mark of the session that files run in: it says that the server still works on one. */
  readonly keepMark: string;
  /** Fails when another session has it. */
  readonly keepMarkHere: string;
  readonly holder: string;
  readonly orphan: string;
}

/** @param schema of a tenant, whose history and lock are its own */
export function lockStatements(schema?: string): LockStatements {
  const key = (name: string) => `hashtextextended(${literal(name)}, 0)`;
  const lock = schema === undefined ? `${LOCK}` : key(`irori:${schema}`);
  const mark = schema === undefined ? `${LOCK + 1n}` : key(`irori+${schema}`);
  return {
    tryLock: `SELECT pg_try_advisory_xact_lock(${lock}) AS locked`,
    ensureHeld: `SELECT 1 / (NOT pg_try_advisory_xact_lock_shared(${lock}))::int`,
    keepMark: `pg_try_advisory_lock(${mark})`,
    keepMarkHere: `1 / pg_try_advisory_xact_lock(${mark})::int`,
    holder: holderOf(lock),
    orphan: holderOf(mark),
  };
}

/**
 * Begins the transaction of the lock, which is left open. It takes part in nothing else: it has no snapshot, which
 * CREATE INDEX CONCURRENTLY would wait for, and nothing ends it for being idle.
 */
export const beginLock = (isPooled: boolean): readonly string[] => [
  "BEGIN ISOLATION LEVEL READ COMMITTED",
  "SET LOCAL idle_in_transaction_session_timeout = 0",
  // A client on a dead host must not keep a lock for hours.
  ...["SET LOCAL tcp_keepalives_idle = 30", "SET LOCAL tcp_keepalives_interval = 10"],
  "SET LOCAL tcp_keepalives_count = 3",
  select(...liftLimits(isPooled)),
];
export const GIVE_UP_LOCKS = "pg_advisory_unlock_all()";

export const RESET_SETTINGS = ["RESET SESSION AUTHORIZATION", "RESET ROLE", "RESET ALL"];
/** … and what else it has left but locks. `DISCARD ALL` cannot stand in a transaction, each of these can. */
export const RESET = [
  ...RESET_SETTINGS,
  ...["CLOSE ALL", "DISCARD TEMP", "DISCARD SEQUENCES", "DEALLOCATE ALL", "UNLISTEN *"],
];

/**
 * Lifts limits of the server or the role that would end a session of the run: while another one works, or amid a long
 * statement. PostgreSQL 14 has the first, 17 the second.
 * @param isLocal whether for the transaction only: other clients get the session of a pooler
 */
export function liftLimits(isLocal: boolean): readonly string[] {
  return ["idle_session_timeout", "transaction_timeout"].map((name) =>
    `CASE WHEN current_setting('${name}', true) IS NOT NULL ` +
    `THEN set_config('${name}', '0', ${isLocal}) END`
  );
}

/** Calls functions, which takes less of the server than a statement for each. */
export function select(...calls: readonly string[]): string {
  return `SELECT ${calls.join(", ")}`;
}

function holderOf(key: string): string {
  return "SELECT a.pid, a.usename, a.application_name, a.client_addr, a.query " +
    "FROM pg_locks l JOIN pg_stat_activity a USING (pid) JOIN pg_database d ON d.oid = l.database " +
    "WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database() " +
    `AND (l.classid::bigint << 32) + l.objid::bigint = ${key} LIMIT 1`;
}

export type Scope = "transaction" | "session";

/** Limits how long the rest of it waits for locks; zero would be without an end. */
export function limitLocks(milliseconds: number, scope: Scope = "transaction"): string {
  const limit = Math.min(Math.max(1, Math.round(milliseconds)), MAX_LOCK_TIMEOUT);
  return `set_config('lock_timeout', '${limit}', ${scope === "transaction"})`;
}

/** Lets the rest of the transaction write times as they are read here, however the database does. */
export const AS_RECORDED = [
  "set_config('DateStyle', 'ISO', true)",
  "set_config('TimeZone', 'UTC', true)",
];
const MAX_LOCK_TIMEOUT = 2 ** 31 - 1;

export function factsQuery(
  lockTimeoutMs: number,
  { orphan }: LockStatements,
  withOrphan: boolean,
  isPlaced: boolean,
): string {
  return select(
    limitLocks(lockTimeoutMs),
    ...AS_RECORDED,
    "pg_backend_pid() AS pid",
    "current_setting('standard_conforming_strings') AS strings",
    // It needs support of the operating system.
    "current_setting('server_version_num')::int >= 140000 AND version() LIKE '%linux%' AS checks",
    "current_schema() AS schema",
    ...isPlaced ? [] : [
      `(SELECT n.nspname ${FROM_CATALOG} WHERE c.oid = to_regclass(${literal(TABLE)})) AS found`,
      `(SELECT json_agg(n.nspname ORDER BY n.nspname) ${FROM_CATALOG} ` +
      `WHERE c.relname = ${literal(TABLE)} AND c.relkind IN ('r', 'p')) AS places`,
    ],
    `${withOrphan ? `(SELECT row_to_json(o) FROM (${orphan}) o)` : "NULL"} AS orphan`,
  );
}

const FROM_CATALOG = "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace";

export function blockingSessionQuery(table: string): string {
  return "SELECT a.pid, a.application_name, a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid) " +
    `WHERE l.relation = to_regclass(${
      literal(table)
    }) AND l.granted AND a.pid <> pg_backend_pid() ` +
    "ORDER BY l.mode LIKE 'Access%' DESC LIMIT 1";
}

/** A command as texts, one of which fails where its fence does not hold, or where it has no effect. */
export function fenced(command: Command): readonly string[] {
  const { fence, kept } = command;
  const sql = inline(command);
  const isPlain = fence === undefined || sql.startsWith("INSERT");
  return [
    isPlain ? sql : `WITH changed AS (${sql} RETURNING 1) SELECT 1 / count(*) FROM changed`,
    ...kept ? [`SELECT 1 / count(*) ${inline(kept)}`] : [],
  ];
}
