import { errorOf } from "../../../../text/mod.ts";
import { DatabaseError } from "../../errors.ts";

/** Rewrites an error of `node:sqlite`. Deno appends ` in <rest> at offset <n>`, counted in bytes. */
export function sqliteError(
  error: unknown,
  { sql, path, redact = (text) => text }: {
    readonly sql: string;
    readonly path: string;
    readonly redact?: ((text: string) => string) | undefined;
  },
): DatabaseError {
  const { message, offset } = takePosition(errorOf(error).message, sql);
  if (/^database (table )?is locked/.test(message)) {
    return new DatabaseError("busy", `The database is locked by another process`);
  }
  if (/^no such table: (?:main\.)?framework_migrations$/.test(message)) {
    return new DatabaseError("missing table", message);
  }
  const reason = /^(?:unable to open database file|file is not a database)/.exec(message)?.[0];
  if (reason !== undefined) return new DatabaseError("lost", `Cannot open '${path}': ${reason}`);
  return new DatabaseError("refused", redact(message), offset === undefined ? {} : { offset });
}

function takePosition(text: string, sql: string): { message: string; offset?: number } {
  const found = /^(.*) at offset (\d+)$/s.exec(text);
  if (found === null) return { message: text };
  const [, before = "", bytes = "0"] = found;
  for (let at = before.indexOf(" in "); at >= 0; at = before.indexOf(" in ", at + 1)) {
    const rest = before.slice(at + 4);
    if (!sql.endsWith(rest)) continue;
    const offset = sql.length - rest.length + unitsOf(rest, Number(bytes));
    return { message: before.slice(0, at), offset };
  }
  return { message: before };
}

/** How many UTF-16 units the first `bytes` bytes of a text are in UTF-8. */
function unitsOf(text: string, bytes: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}
