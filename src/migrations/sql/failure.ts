import { errorOf } from "../../text/mod.ts";
import { ConnectionError, HistoryError, LockedError, MigrationFailedError } from "../runner/mod.ts";
import { DatabaseError } from "./errors.ts";
import type { SqlMigration } from "./types.ts";

export interface FailurePlace {
  readonly statement?: number;
  /** Where the text that was sent starts in the file's text. */
  readonly base?: number;
  /** The remains of the file; lines without their final period. */
  readonly outcome: readonly string[];
}

export function connectionFailure(connection: string, error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const message = [messageWithCode(error), ...error.hints].join("\n  ");
  if (isBusy(error)) return new LockedError(connection, message);
  if (error.kind === "history") return new HistoryError(connection, message);
  return new ConnectionError(connection, message, {
    cause: error,
    refused: error.kind === "denied",
  });
}

export function failOf(connection: string): (error: unknown) => never {
  return (error) => {
    throw connectionFailure(connection, error);
  };
}

export function fileFailure(
  connection: string,
  migration: SqlMigration,
  error: unknown,
  place: FailurePlace,
): Error {
  if (!(error instanceof DatabaseError)) return ownFailure(connection, error, place);
  const { path } = migration.file;
  if (isBusy(error)) {
    return new LockedError(connection, [messageWithCode(error), ...place.outcome].join("\n  "));
  }
  if (error.kind !== "refused" && error.kind !== "ended transaction") {
    const what = error.kind === "record" ? "Stopped at" : "The connection was lost in";
    const message = [`${what} '${path}': ${messageWithCode(error)}`, ...place.outcome];
    return new ConnectionError(connection, message.join("\n  "), { cause: error });
  }
  const index = place.statement ?? statementOf(migration, error);
  const total = migration.statements.length;
  const which = index === undefined || total < 2
    ? "the file"
    : `statement ${index + 1} of ${total}`;
  const message = [
    `The database refused ${which}: ${messageWithCode(error)}`,
    ...error.hints,
    ...adviceOn(error, migration),
    ...place.outcome,
  ];
  return new MigrationFailedError(connection, path, message.join("\n  "), {
    cause: error,
    ...position(migration, error, index, place.base ?? 0),
  });
}

function ownFailure(connection: string, error: unknown, { outcome }: FailurePlace): Error {
  const { message }: { message?: string } = Object(error);
  const text = [message, ...outcome].join("\n  ");
  if (error instanceof LockedError) return new LockedError(connection, text, error.owner);
  if (error instanceof ConnectionError) {
    return new ConnectionError(connection, text, { cause: error, refused: error.refused });
  }
  return errorOf(error);
}

function isBusy({ kind }: DatabaseError): boolean {
  return kind === "busy" || kind === "overtaken";
}

function messageWithCode({ message, code }: DatabaseError): string {
  return code === undefined ? message : `${message} (${code})`;
}

/** Where a file without a transaction would not fail. */
function adviceOn(
  { code, message, isInFunction }: DatabaseError,
  { transactional }: SqlMigration,
): string[] {
  if (!transactional) return [];
  const way = "start the file with '-- irori: no-transaction'";
  // In a function such a statement fails outside of a transaction as well.
  if (
    !isInFunction &&
    /cannot run inside a transaction block$|(?:within|inside) a transaction$/.test(message)
  ) {
    return [`Outside of a transaction it can run: ${way}`];
  }
  if (code === "2D000") {
    return [`What commits by itself needs a file without a transaction: ${way}`];
  }
  if (code !== "55P04") return [];
  return [`The value can be used once it is committed: put its use into a later file, or ${way}`];
}

function statementOf({ statements }: SqlMigration, { offset, completed }: DatabaseError) {
  if (offset === undefined) return completed;
  const index = statements.findLastIndex(({ start }) => start <= offset);
  return index < 0 ? undefined : index;
}

function position(
  { script, statements }: SqlMigration,
  { offset, isLockFailure }: DatabaseError,
  index: number | undefined,
  base: number,
): { readonly line?: number; readonly column?: number; readonly source?: string } {
  if (offset !== undefined) return script.locate(base + offset);
  const statement = index === undefined ? undefined : statements[index];
  if (statement === undefined) return {};
  const { line, column, source } = script.locate(statement.start);
  // It is the statement as a whole that gets no lock.
  return isLockFailure ? { line, column, source } : { line, source };
}
