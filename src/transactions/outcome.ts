import { TransactionOutcomeUnknownError, TransactionRolledBackError } from "./errors.ts";

/** SQLSTATE is `code` in PostgreSQL, `sqlState` in MySQL; `errcode` is that of SQLite. */
type DriverError =
  & Error
  & Readonly<Record<"code" | "sqlState" | "errno" | "errcode" | "severity", unknown>>;

/**
 * Whether the answer to `COMMIT` proves that nothing was committed: an error of the server that does not end the
 * session. Everything else, such as a lost connection, proves nothing.
 */
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

/**
 * Whether running the transaction again may succeed: serialization failures (40001), deadlocks (40P01, MySQL 1213) and
 * lock wait timeouts (MySQL 1205).
 */
export function isRetryable(error: unknown): boolean {
  const causes = causesOf(error);
  return !causes.some((cause) => cause instanceof TransactionOutcomeUnknownError) &&
    causes.some((cause) => {
      return cause.errno === LOCK_WAIT_TIMEOUT ||
        /^(?:40001|40P01|P2034)$/.test(`${stateOf(cause)}`);
    });
}

/** BUSY, LOCKED, CONSTRAINT: the transaction stays open. */
const SQLITE_REFUSALS: readonly number[] = [5, 6, 19];
export const LOCK_WAIT_TIMEOUT = 1205;
/**
 * Connection exceptions, an operator's intervention, "statement completion unknown", failures of the system, what MySQL
 * gives no class, and what Prisma says of connections.
 */
const UNCERTAIN = /^(?:08|57P|40003|58|70100|HY|XX|P1|P2028)/;

function stateOf({ sqlState, code }: DriverError): string | undefined {
  const state = sqlState ?? code;
  return typeof state === "string" && /^(?:[0-9A-Z]{5})$/.test(state) && /\d/.test(state)
    ? state
    : undefined;
}

/** An error and its causes: ORMs wrap those of drivers. */
function causesOf(error: unknown): DriverError[] {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && !causes.includes(next); next = next.cause) {
    causes.push(next);
  }
  return causes as DriverError[];
}
