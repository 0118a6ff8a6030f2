import type { LoadedFile } from "../../runner/mod.ts";
import type { Datasource } from "../connect/datasource.ts";
import { readDirectives } from "./directives.ts";
import { ownTableAt } from "./own_table.ts";
import { TABLE } from "../journal/records.ts";
import { invalidFile, readScript } from "./script.ts";
import { type Grammar, withStrings } from "../syntax/grammar.ts";
import { DOWN_FILE, DOWN_SECTION, isDownFile, sectionMarks } from "./sections.ts";
import { split } from "../syntax/splitter.ts";
import type { Dialect, SessionFacts, SqlMigration } from "../types.ts";

/** What fits into the history table of every database. */
const MAX_PATH = 512;

/**
 * Reads a file of SQL: its directives, its statements, and whether they can be applied.
 *
 * @param facts of the session that it is to run in; without any, what servers do by default
 * @throws {InvalidFilesError} naming line and column
 */
export function classifySql(
  file: LoadedFile,
  dialect: Dialect,
  { onChange, placeholders }: Pick<Datasource["migrations"], "onChange" | "placeholders">,
  facts: SessionFacts = {},
): SqlMigration {
  const { path } = file;
  if (Array.from(path).length > MAX_PATH) {
    const message = `The path is longer than ${MAX_PATH} characters, the most that is recorded`;
    throw invalidFile(path, message);
  }
  if (isDownFile(path)) throw invalidFile(path, DOWN_FILE, { undoes: true });
  const script = readScript(file, placeholders);
  const grammar = facts.strings ? withStrings(dialect.grammar, facts.strings) : dialect.grammar;
  const parts = split(script.text, grammar);
  const down = sectionMarks(script.text, grammar).find(({ direction }) => direction === "down");
  if (down) {
    throw invalidFile(path, DOWN_SECTION, { ...script.locate(down.start), undoes: true });
  }
  if (parts.unfinished) {
    const { offset, message } = parts.unfinished;
    throw invalidFile(path, message, script.locate(offset));
  }
  const directives = readDirectives(path, script, parts);
  const { noTransaction, noTransactionAt = 0, repeatable, lockTimeoutMs, allowances } = directives;
  const { statements, turns } = parts;
  const transactional = dialect.transactional && !noTransaction;
  if (!transactional && facts.stepsRefused !== undefined) {
    throw invalidFile(path, facts.stepsRefused, script.locate(noTransactionAt));
  }
  if (lockTimeoutMs !== undefined && dialect.lockTimeoutRefused !== undefined) {
    throw invalidFile(
      path,
      dialect.lockTimeoutRefused,
      script.locate(directives.lockTimeoutAt ?? 0),
    );
  }
  const marks = script.text.matchAll(/(?<=(?:^|;)[^\S\ufeff]*)\ufeff/gm);
  const mark = [...marks].find(({ index }) =>
    !statements.some(({ start, end }) => start < index && index < end)
  );
  if (mark) throw invalidFile(path, BYTE_ORDER_MARK, script.locate(mark.index));
  const refuse = dialectRefusal(dialect, grammar, transactional);
  for (const statement of statements) {
    const found = refuse(statement);
    if (found === undefined) continue;
    throw invalidFile(path, found.reason, script.locate(statement.start + found.offset));
  }
  const count = `${statements.length} statement${statements.length === 1 ? "" : "s"}`;
  return {
    file: { path, location: file.location, hash: file.hash },
    kind: "sql",
    resource: noTransaction && dialect.transactional ? `${count}, no transaction` : count,
    onChange: repeatable ? "reapply" : onChange,
    // What was cut off inside a transaction has left nothing behind, not even a record.
    repeatSafe: transactional,
    script,
    statements,
    turns,
    transactional,
    allowances,
    ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
  };
}

/** Says of a statement why it cannot be part of a file, and where in it. */
function dialectRefusal(dialect: Dialect, grammar: Grammar, transactional: boolean) {
  return (
    statement: SqlMigration["statements"][number],
  ): { readonly reason: string; readonly offset: number } | undefined => {
    const reason = dialect.refuse(statement, transactional);
    if (reason !== undefined) return { reason, offset: 0 };
    const offset = ownTableAt(statement, grammar);
    return offset === undefined ? undefined : { reason: OWN_TABLE, offset };
  };
}

const BYTE_ORDER_MARK = "There is a byte order mark (U+FEFF) inside of the file, as where files " +
  "were put together: remove it";
const OWN_TABLE = `'${TABLE}' is the history table: a file must not drop, alter, truncate, ` +
  "rename or lock it";
