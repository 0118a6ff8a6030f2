import { defined } from "../../text/mod.ts";

export type ComplaintKind =
  | "refused"
  | "lost"
  | "denied"
  | "busy"
  /** A record is not as it was read. */
  | "overtaken"
  /** The history table does not exist where it was expected. */
  | "missing table"
  /** The history table is in another schema, or is another table. */
  | "history"
  /** The server refused a statement of this library on the history table. */
  | "record"
  | "ended transaction";

type Details = Partial<Omit<DatabaseError, keyof Error | "kind">>;

/**
 * A database's complaint in one form for all drivers. Its text holds no credentials, and the driver's own
 * error is not kept: some carry the whole statement or the connection's settings.
 */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code?: string;
  /** Where in the text that was sent the database complains, in UTF-16 units from 0. */
  readonly offset?: number;
  readonly completed?: number;
  /** Which of our own statements before that text failed. */
  readonly own?: number;
  /** Whether the statement has left something behind although it failed. */
  readonly isPartial: boolean = false;
  /** Whether it is about what a function does that the statement calls. */
  readonly isInFunction: boolean = false;
  /** Whether a lock was waited for too long, or given up for another session: done again, the statement may get it. */
  readonly isLockFailure: boolean = false;
  /** Advice, as sentences without their final period. */
  readonly hints: readonly string[] = [];

  constructor(readonly kind: ComplaintKind, message: string, details: Details = {}) {
    super(message);
    Object.assign(this, defined(details));
  }
}

export function withDetails(error: DatabaseError, details: Details): DatabaseError {
  return new DatabaseError(error.kind, error.message, { ...error, ...details });
}

export const NOT_KEPT =
  "The history table, framework_migrations, does not keep rows as they are written: a trigger, a rule, row " +
  "security, a view or a unique index changes or drops them. Nothing was applied without a record: remove " +
  "it from that table, or except the user of the run";
