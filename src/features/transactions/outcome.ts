import { pause } from "../../runtime/retry.ts";
import type { Scope } from "./_transaction.ts";
import { TransactionOutcomeUnknownError, TransactionRolledBackError } from "./errors.ts";
import type { TransactionOptions } from "./options.ts";

/** SQLSTATE is `code` in PostgreSQL, `sqlState` in MySQL; `errcode` is that of SQLite. */
type DriverError =
  & Error
  & Readonly<Record<"code" | "sqlState" | "errno" | "errcode" | "severity", unknown>>;

/** Whether `COMMIT` certainly failed: an error of the server that does not end the session. */
export function isRefusal(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    if (cause instanceof TransactionRolledBackError) return true;
    const { severity, errcode, code } = cause;
    if (typeof severity === "string" && /^(?:FATAL|PANIC)$/.test(severity)) return false;
    if (typeof errcode === "number") return SQLITE_REFUSALS.includes(errcode & 0xff);
    if (/^SQLITE_(?:BUSY|CONSTRAINT|LOCKED)/.test(`${code}`)) return true;
    const state = stateOf(cause);
    return cause.errno === LOCK_WAIT_TIMEOUT || state !== undefined && !UNCERTAIN.test(state);
  });
}

/** Serialization failures (40001), deadlocks (40P01, MySQL 1213), lock wait timeouts (MySQL 1205). */
export function isRetryable(error: unknown): boolean {
  const causes = causesOf(error);
  return !causes.some((cause) => cause instanceof TransactionOutcomeUnknownError) &&
    causes.some((cause) => {
      return cause.errno === LOCK_WAIT_TIMEOUT ||
        /^(?:40001|40P01|P2034)$/.test(`${stateOf(cause)}`);
    });
}

export type Retries = <T>(attempt: () => Promise<T>) => Promise<T>;

/** Repeats the outermost transaction. @param mayRepeat whether the work has used up nothing that it needs again */
export function retriesOf(
  outer: Scope | undefined,
  { retry = 0 }: TransactionOptions,
  mayRepeat: () => boolean = () => true,
): Retries {
  const most = isInside(outer) ? 0 : retry;
  let count = 0;
  return async (attempt) => {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (count >= most || !isRetryable(error) || !mayRepeat()) throw error;
        // Transactions that hindered each other are not to meet again.
        await pause(Math.random() * Math.min(5 * 2 ** count++, 500));
      }
    }
  };
}

function isInside(scope: Scope | undefined): boolean {
  return scope !== undefined && (scope.transaction?.isEnded === false || isInside(scope.outer));
}

/**
 * The SQLSTATE of an error of a database, or of an error that wraps one: the same on every driver, where PostgreSQL,
 * PGlite, MySQL, MariaDB, SQLite and Prisma have codes of their own.
 *
 * `23505` for a duplicate key, `23503` for a foreign key, `23502` for null, `23514` for a check, `40001` and `40P01` for a
 * conflict and a deadlock, `55P03` for a lock that another transaction holds.
 *
 * @returns `undefined` for an error of anything else
 */
export function sqlStateOf(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { errcode, errno, code } = cause;
    // Errors of the system have negative numbers, and those of other protocols small ones as their `code`.
    const codes = [errcode, Number(errno) > 0 && errno, typeof code === "string" && code].join(" ");
    const state = STATES.find(([, own]) => own.test(codes))?.[0] ?? stateOf(cause);
    if (state !== undefined) return state;
  }
}

/** By the numbers of SQLite, of MySQL, and the codes of Prisma. */
const STATES: readonly (readonly [state: string, codes: RegExp])[] = [
  ["23505", /\b(?:1555|2067|2579|SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY|ROWID)|1062|1586|P2002)\b/],
  ["23503", /\b(?:787|SQLITE_CONSTRAINT_FOREIGNKEY|1451|1452|P2003)\b/],
  ["23502", /\b(?:1299|SQLITE_CONSTRAINT_NOTNULL|1048|1364|P2011)\b/],
  ["23514", /\b(?:275|SQLITE_CONSTRAINT_CHECK|3819|4025|P2004)\b/],
  ["40001", /\bP2034\b/],
  ["55P03", /\b(?:5|6|SQLITE_BUSY|SQLITE_LOCKED|1205)\b/],
];

/** BUSY, LOCKED, CONSTRAINT: the transaction stays open. */
const SQLITE_REFUSALS: readonly number[] = [5, 6, 19];
export const LOCK_WAIT_TIMEOUT = 1205;
/** Connections, an operator, an unknown completion, the system; and MySQL and Prisma without a class. */
const UNCERTAIN = /^(?:08|57P|40003|58|70100|HY|XX|P1|P2028)/;

function stateOf({ sqlState, code }: DriverError): string | undefined {
  const state = sqlState ?? code;
  return typeof state === "string" && /^(?:[0-9A-Z]{5})$/.test(state) && /\d/.test(state)
    ? state
    : undefined;
}

function causesOf(error: unknown): DriverError[] {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && !causes.includes(next); next = next.cause) {
    causes.push(next);
  }
  return causes as DriverError[];
}
