import { InvalidFileError, type MigrationFile } from "../runner/mod.ts";
import type { Datasource } from "./datasource.ts";
import { readDirectives } from "./directives.ts";
import { readScript } from "./script.ts";
import { split } from "./syntax/splitter.ts";
import type { Dialect, SqlMigration } from "./types.ts";

/** What fits into the history table of every database. */
const MAX_PATH = 512;

/**
 * Reads a file of SQL: its directives, its statements, and whether they can be applied.
 *
 * @throws {InvalidFileError} naming line and column
 */
export function classifySql(
  file: MigrationFile,
  dialect: Dialect,
  { onChange, placeholders }: Datasource["migrations"],
): SqlMigration {
  const { path } = file;
  if (Array.from(path).length > MAX_PATH) {
    const message = `The path is longer than ${MAX_PATH} characters, the most that is recorded`;
    throw new InvalidFileError({ path, message });
  }
  const script = readScript(file, placeholders);
  const parts = split(script.text, dialect.grammar);
  if (parts.unfinished) {
    const { offset, message } = parts.unfinished;
    throw new InvalidFileError({ path, message, ...script.locate(offset) });
  }
  const { noTransaction, repeatable } = readDirectives(path, script, parts);
  const { statements } = parts;
  const transactional = dialect.transactional && !noTransaction;
  for (const statement of statements) {
    const reason = dialect.refuse(statement, transactional);
    if (reason === undefined) continue;
    throw new InvalidFileError({ path, message: reason, ...script.locate(statement.start) });
  }
  const count = `${statements.length} statement${statements.length === 1 ? "" : "s"}`;
  return {
    file,
    kind: "sql",
    resource: noTransaction && dialect.transactional ? `${count}, no transaction` : count,
    onChange: repeatable ? "reapply" : onChange,
    // What was cut off inside a transaction has left nothing behind, not even a record.
    repeatSafe: transactional,
    script,
    statements,
    transactional,
  };
}
