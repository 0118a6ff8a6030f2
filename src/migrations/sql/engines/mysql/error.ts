import { type ComplaintKind, DatabaseError } from "../../errors.ts";

interface DriverError extends Readonly<Partial<Record<"message" | "sqlMessage" | "code", string>>> {
  readonly errno?: number;
}

const DENIED =
  ("ER_ACCESS_DENIED_ERROR ER_DBACCESS_DENIED_ERROR ER_ACCESS_DENIED_NO_PASSWORD_ERROR " +
    "ER_ACCOUNT_HAS_BEEN_LOCKED").split(" ");
const LOCK_FAILURES = ["ER_LOCK_WAIT_TIMEOUT", "ER_LOCK_DEADLOCK"];
const LOST = ["ER_SERVER_SHUTDOWN", "ER_CONNECTION_KILLED", "ER_CLIENT_INTERACTION_TIMEOUT"];
/** `ER_CONNECTION_KILLED` of MariaDB, which the client does not name. */
const KILLED = 1927;

export function mysqlError(
  error: unknown,
  redact: (text: string) => string,
  sql?: string,
): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const found: DriverError = Object(error);
  const { message, sqlMessage, code } = found;
  const text = sqlMessage ?? message ?? "no answer";
  const syntax = /syntax to use near '(.*)' at line (\d+)$/s.exec(text);
  const kind = complaintKind(found);
  const details = { code, isLockFailure: code !== undefined && LOCK_FAILURES.includes(code) };
  if (syntax === null || sql === undefined) return new DatabaseError(kind, redact(text), details);
  const [, near = "", line = "1"] = syntax;
  const offset = offsetOf(sql, near, Number(line));
  const place = near === "" ? "at the end" : `near '${firstLine(near)}'`;
  return new DatabaseError(kind, redact(`syntax error ${place}`), { ...details, offset });
}

function complaintKind({ code, sqlMessage, errno }: DriverError): ComplaintKind {
  if (sqlMessage === undefined) return "lost";
  // The client names the errors of MySQL: those of MariaDB alone, from 1900 on, may have no name.
  if (code === undefined) return errno === KILLED ? "lost" : "refused";
  if (DENIED.includes(code)) return "denied";
  return LOST.includes(code) ? "lost" : "refused";
}

/** The text behind `near` goes on to the end of the statement, at most 80 characters. */
function firstLine(near: string): string {
  const line = near.split(/\r?\n/)[0] ?? "";
  return line.length < near.length ? `${line} …` : line;
}

/** Where the rest that the server shows stands. Its line may be behind the word it means, never before it. */
function offsetOf(sql: string, near: string, line: number): number | undefined {
  if (near === "") return sql.length;
  const lines = sql.split("\n");
  const at = sql.lastIndexOf(near, lines.slice(0, line).join("\n").length);
  if (at >= 0) return at;
  return Math.min(sql.length, line > 1 ? lines.slice(0, line - 1).join("\n").length + 1 : 0);
}
