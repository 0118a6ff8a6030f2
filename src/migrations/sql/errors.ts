export type ComplaintKind =
  | "refused"
  /** No answer, or none any more. */
  | "lost"
  /** The credentials were refused. */
  | "denied"
  /** Another session holds a needed lock. */
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

/**
 * A database's complaint in one form for all drivers. Its text holds no credentials, and the driver's own
 * error is not kept: some carry the whole statement or the connection's settings.
 */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly kind: ComplaintKind;
  readonly code?: string;
  /** Where in the text that was sent the database complains, in UTF-16 units from 0. */
  readonly offset?: number;
  readonly completed?: number;
  /** Which of our own statements before that text failed. */
  readonly own?: number;
  /** Whether the statement has left something behind although it failed. */
  readonly isPartial: boolean;
  /** Whether it is about what a function does that the statement calls. */
  readonly isInFunction: boolean;
  /** Whether a lock was waited for too long, or given up for another session: done again, the statement may get it. */
  readonly isLockFailure: boolean;
  /** What to do about it, sentences without their final period. */
  readonly hints: readonly string[];

  constructor(kind: ComplaintKind, message: string, details: DatabaseErrorDetails = {}) {
    super(message);
    this.kind = kind;
    this.hints = details.hints ?? [];
    this.isPartial = details.isPartial ?? false;
    this.isInFunction = details.isInFunction ?? false;
    this.isLockFailure = details.isLockFailure ?? false;
    if (details.code !== undefined) this.code = details.code;
    if (details.offset !== undefined) this.offset = details.offset;
    if (details.completed !== undefined) this.completed = details.completed;
    if (details.own !== undefined) this.own = details.own;
  }
}

export interface DatabaseErrorDetails {
  readonly code?: string;
  readonly offset?: number;
  readonly completed?: number;
  readonly own?: number;
  readonly isPartial?: boolean;
  readonly isInFunction?: boolean;
  readonly isLockFailure?: boolean;
  readonly hints?: readonly string[];
}

export const NOT_KEPT =
  "The history table, framework_migrations, does not keep rows as they are written: a trigger, a rule, row " +
  "security, a view or a unique index changes or drops them. Nothing was applied without a record: remove " +
  "it from that table, or except the user of the run";
