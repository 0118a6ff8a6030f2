import { DatabaseError, NOT_KEPT } from "../../errors.ts";
import type { Command } from "../../types.ts";
import type { Statement } from "../../syntax/grammar.ts";

export function lostLock(reason = "its connection ended"): DatabaseError {
  const message =
    `The lock of the run was lost because ${reason}: the run sent no further statement`;
  return new DatabaseError("busy", message);
}

/** @param isThere whether the row was there before an INSERT of it */
export function overtaken({ sql, fence }: Command, isThere = false): DatabaseError {
  if (sql.startsWith("INSERT") && !isThere) return new DatabaseError("history", NOT_KEPT);
  const message =
    `The record of '${fence}' is not as it was read or written: another run, a file itself, or a trigger, a ` +
    "rule or row security of the history table has changed it";
  return new DatabaseError("overtaken", message);
}

/** PostgreSQL's code for writes in a transaction that is read-only, as all of a standby are. */
const READ_ONLY = "25006";

/** The server refused access to the history table; other errors are unchanged. */
export function cannotUse(table: string, error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== "refused") return error;
  const { message, code, hints } = error;
  if (code === READ_ONLY) {
    const what = "The database takes no writes: it is a standby, or its sessions are read-only " +
      `('default_transaction_read_only'). Connect to the primary; it said: ${message}`;
    return new DatabaseError("record", what, { code });
  }
  const isCreation = /^(?:permission denied for schema|CREATE command denied)/.test(message);
  const what = `Cannot ${isCreation ? "create" : "use"} the history table, ${table}`;
  return new DatabaseError("record", `${what}: ${message}`, { hints, code });
}

const HINT = "start the file with '-- irori: no-transaction'";

/** Says why a statement that starts or ends a transaction cannot stand in a file that is one. */
export function refuseTransactionControl({ words }: Statement): string | undefined {
  const [first = "", second] = words;
  const ends = ["BEGIN", "COMMIT", "END", "ABORT"].includes(first) ||
    (first === "START" && second === "TRANSACTION") ||
    (first === "PREPARE" && second === "TRANSACTION") ||
    (first === "ROLLBACK" && !words.slice(1, 3).includes("TO"));
  if (!ends) return undefined;
  return `${first} cannot be part of the file, which runs in one transaction with its record: ` +
    `remove it, or ${HINT}`;
}

export function outsideOnly(what: string): string {
  return `${what} cannot run inside a transaction: ${HINT}`;
}

export const ENDED_TRANSACTION =
  "the file has ended the transaction that it runs in, and what it did before may have stayed: remove " +
  `what commits or rolls back, or ${HINT}`;
