import { type ComplaintKind, DatabaseError } from "../errors.ts";

/** What `pg` says of an error: the fields of PostgreSQL's ErrorResponse, or those of a socket. */
interface DriverError {
  readonly message?: string;
  readonly code?: string;
  /** 1-based, in code points of the text that was sent. */
  readonly position?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly where?: string;
}

/**
 * Rewrites an error of `pg`.
 *
 * @param sent what the error is about, and what stood before it
 * @param redact takes secrets out of a text
 */
export function postgresqlError(
  error: unknown,
  redact: (text: string) => string,
  sent: { readonly head?: string; readonly sql?: string; readonly completed?: number } = {},
): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { message, code, position, detail, hint, where }: DriverError = Object(error);
  const kind = kindOf(code, message);
  const offset = sent.sql !== undefined && position !== undefined
    ? unitsOf(sent.sql, Number(position) - 1 - (sent.head?.length ?? 0))
    : undefined;
  const hints = [detail, hint, offset === undefined ? where : undefined, adviceOn(code)]
    .filter((text) => text !== undefined).map((text) => redact(text).replace(/\.$/, ""));
  return new DatabaseError(kind, redact(textOf(message, code)), {
    hints,
    ...(code !== undefined && { code }),
    ...(offset !== undefined && { offset }),
    ...(sent.completed !== undefined && { completed: sent.completed }),
  });
}

/** By the classes of SQLSTATE (PostgreSQL, appendix A); what has none came from the network. */
function kindOf(code: string | undefined, message = ""): ComplaintKind {
  if (/password must be a (non-empty )?string/.test(message)) return "denied";
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return "lost";
  if (/^(08|57P0)/.test(code)) return "lost";
  if (code.startsWith("28")) return "denied";
  return code === "42P01" && message.includes("framework_migrations") ? "missing table" : "refused";
}

function textOf(message: string | undefined, code: string | undefined): string {
  if (message === undefined || message === "") return `no answer${code ? `: ${code}` : ""}`;
  return /password must be a (non-empty )?string/.test(message)
    ? "the server asks for a password and there is none"
    : message;
}

function adviceOn(code: string | undefined): string | undefined {
  return code === "25001" ? "Start the file with '-- irori: no-transaction'" : undefined;
}

/** How many UTF-16 units the first `points` code points of a text are. */
function unitsOf(text: string, points: number): number {
  let units = 0;
  for (let left = points; left > 0 && units < text.length; left--) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}
