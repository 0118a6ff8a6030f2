import { type ComplaintKind, DatabaseError } from "../../errors.ts";

/** The members of an error of `pg`: the fields of PostgreSQL's ErrorResponse, or those of a socket. */
type DriverError = Readonly<
  Partial<Record<"message" | "code" | "position" | "detail" | "hint" | "where", string>>
>;

interface SentText {
  readonly head?: string;
  readonly sql?: string;
  readonly completed?: number;
  readonly own?: number;
}

/** A `division by zero`: how a check fails in the message that it stands in. */
export const DIVISION_BY_ZERO = "22012";
export const UNIQUE_VIOLATION = "23505";
export const INVALID_SCHEMA_NAME = "3F000";
/** An index has the name, too. */
export const DUPLICATE_TABLE = "42P07";
export const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK_DETECTED = "40P01";

/** Whether it is the check at this place of our own statements that failed: it divides by zero. */
export function isFailedCheck(error: unknown, at: number): error is DatabaseError {
  return error instanceof DatabaseError && error.own === at && error.code === DIVISION_BY_ZERO;
}

export function postgresqlError(
  error: unknown,
  redact: (text: string) => string,
  sent: SentText = {},
): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { message, code, position, detail, hint, where }: DriverError = Object(error);
  const kind = complaintKind(code, message);
  // The position is 1-based, in code points of the text that was sent.
  const offset = sent.sql !== undefined && position !== undefined && sent.own === undefined
    ? unitsOf(sent.sql, Number(position) - 1 - Array.from(sent.head ?? "").length)
    : undefined;
  const hints = [detail, hint, offset === undefined ? where : undefined]
    .filter((text) => text !== undefined).map((text) => redact(text).replace(/\.$/, ""));
  return new DatabaseError(kind, redact(messageText(message, code)), {
    hints,
    isInFunction: where !== undefined,
    isLockFailure: code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED,
    code,
    offset,
    completed: sent.completed,
    own: sent.own,
  });
}

/** By the classes of SQLSTATE (PostgreSQL, appendix A); what has none came from the network. */
function complaintKind(code: string | undefined, message = ""): ComplaintKind {
  if (/password must be a (non-empty )?string/.test(message)) return "denied";
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return "lost";
  if (/^(08|57P0)/.test(code)) return "lost";
  return code.startsWith("28") ? "denied" : "refused";
}

function messageText(message: string | undefined, code: string | undefined): string {
  if (message === undefined || message === "") return `no answer${code ? `: ${code}` : ""}`;
  return /password must be a (non-empty )?string/.test(message)
    ? "the server asks for a password and there is none"
    : message;
}

/** How many UTF-16 units the first `points` code points of a text are. */
function unitsOf(text: string, points: number): number {
  let units = 0;
  for (let left = points; left > 0 && units < text.length; left--) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}
