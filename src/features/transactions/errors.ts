import { HttpStatus, STATUS } from "../../http/mod.ts";

/** A call that the state of the transaction does not allow; the base class of the other errors of transactions. */
export class TransactionError extends Error {
  override readonly name: string = "TransactionError";
}

/**
 * The transaction may be committed or rolled back: the connection was lost before the answer to `COMMIT` came, of which
 * `cause` is the error, or a statement of the work has ended it. Neither `afterCommit` nor `afterRollback` functions run,
 * and nothing is retried.
 */
export class TransactionOutcomeUnknownError extends TransactionError {
  override readonly name = "TransactionOutcomeUnknownError";
}

/** The work succeeded, but its transaction was rolled back. `cause` is the failure that the work has caught, if it is known. */
export class TransactionRolledBackError extends TransactionError {
  override readonly name = "TransactionRolledBackError";
}

/** The transaction took longer than its `timeout`, and was rolled back. */
export class TransactionTimeoutError extends TransactionError {
  override readonly name = "TransactionTimeoutError";
}

/** The database cannot be reached, or no connection was free within the acquire timeout. */
export class ConnectionUnavailableError extends TransactionError {
  override readonly name = "ConnectionUnavailableError";
}

// Declared in the classes, the computed name would have no type in declaration files.
for (const type of [TransactionTimeoutError, ConnectionUnavailableError]) {
  Object.defineProperty(type, STATUS, { value: HttpStatus.SERVICE_UNAVAILABLE });
}

/** @param reason after a colon */
export function rolledBack(reason: string, cause?: unknown): TransactionRolledBackError {
  return new TransactionRolledBackError(`The transaction was rolled back: ${reason}`, { cause });
}
