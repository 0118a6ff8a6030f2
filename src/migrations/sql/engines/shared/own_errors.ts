import { DatabaseError } from "../../errors.ts";

export function lostLock(): DatabaseError {
  return new DatabaseError(
    "busy",
    "The lock of the run was lost, as its connection has ended: stopped before anything more was sent",
  );
}

export function overtaken(path: string): DatabaseError {
  const message =
    `The record of '${path}' is not as it was read: another run, or a file itself, has written it meanwhile`;
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
  return new DatabaseError("record", `${what}: ${message}`, {
    hints,
    ...(code !== undefined && { code }),
  });
}
