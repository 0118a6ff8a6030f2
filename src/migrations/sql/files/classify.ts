import { isDownFile, type LoadedFile } from "../../runner/mod.ts";
import type { Datasource } from "../connect/datasource.ts";
import { type Directives, readDirectives } from "./directives.ts";
import { ownTableAt } from "./own_table.ts";
import { TABLE } from "../journal/records.ts";
import { invalidFile, readScript, type Script } from "./script.ts";
import { type Grammar, withStrings } from "../syntax/grammar.ts";
import {
  DOWN_FILE,
  DOWN_SECTION,
  ENVIRONMENT,
  gooseUp,
  sectionMarks,
  substitutesAt,
} from "./sections.ts";
import { split } from "../syntax/splitter.ts";
import type { Dialect, SessionFacts, SqlMigration } from "../types.ts";

/** The limit of a path in the history table of every database. */
const MAX_PATH = 512;

/** @throws {InvalidFilesError} naming line and column */
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
  const grammar = facts.strings ? withStrings(dialect.grammar, facts.strings) : dialect.grammar;
  const { script: wrapped, isOutside } = upSection(
    path,
    readScript(file, placeholders, grammar.postgresQuotes),
    grammar,
  );
  const parts = split(wrapped.text, grammar);
  if (parts.unfinished) {
    const { offset, message } = parts.unfinished;
    throw invalidFile(path, message, wrapped.locate(offset));
  }
  const directives = readDirectives(path, wrapped, parts);
  const { repeatable, lockTimeoutMs } = directives;
  const noTransaction = isOutside || directives.noTransactionAt !== undefined;
  const transactional = dialect.transactional && !noTransaction;
  const whole = { script: wrapped, ...parts, allowances: directives.allowances };
  const { script, statements, turns, allowances } = withoutPair(whole, dialect, transactional);
  const refusal = directiveRefusal(directives, dialect, transactional, facts) ??
    byteOrderMark(script.text, statements) ??
    statementRefusal(statements, dialect, grammar, transactional);
  if (refusal) throw invalidFile(path, refusal.reason, script.locate(refusal.offset));
  const count = `${statements.length} statement${statements.length === 1 ? "" : "s"}`;
  return {
    file: { path, location: file.location, hash: file.hash },
    kind: "sql",
    resource: noTransaction && dialect.transactional ? `${count}, no transaction` : count,
    onChange: repeatable ? "reapply" : onChange,
    unordered: repeatable,
    // An interrupted transaction leaves nothing behind, not even a record.
    repeatSafe: transactional,
    script,
    statements,
    turns,
    transactional,
    allowances,
    ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
  };
}

function upSection(
  path: string,
  script: Script,
  grammar: Grammar,
): { readonly script: Script; readonly isOutside: boolean } {
  const marks = sectionMarks(script.text, grammar);
  const down = marks.find(({ direction }) => direction === "down");
  const isGoose = marks.length > 0 && marks.every((mark) => mark.isGoose);
  const text = isGoose ? gooseUp(script.text, marks) : undefined;
  if (down && text === undefined) {
    throw invalidFile(path, DOWN_SECTION, { ...script.locate(down.start), undoes: true });
  }
  // So sqlx runs such a file.
  if (text === undefined) return { script, isOutside: script.text.startsWith("-- no-transaction") };
  const at = substitutesAt(text);
  if (at !== undefined) throw invalidFile(path, ENVIRONMENT, script.locate(at));
  return { script: { ...script, text }, isOutside: marks.some((one) => one.noTransaction) };
}

type Content = Pick<SqlMigration, "script" | "statements" | "turns" | "allowances">;

/** SQLite's own recipe and EF Core have these statements outside of the pair. */
const AROUND = /^(?:PRAGMA|SET|CREATE TABLE IF NOT EXISTS)\b/;

/** Without the statements that begin a transaction and end it with the file: a run does both itself. */
function withoutPair(
  content: Content,
  { pair }: Pick<Dialect, "pair">,
  transactional: boolean,
): Content {
  const { script, statements, turns, allowances } = content;
  const wordsOf = (index: number) => statements[index]?.words.join(" ") ?? "";
  const first = statements.findIndex((_, index) => !AROUND.test(wordsOf(index)));
  const last = statements.findLastIndex((_, index) => !AROUND.test(wordsOf(index)));
  const isPair = transactional && first < last &&
    pair[0].test(wordsOf(first)) && pair[1].test(wordsOf(last));
  if (!isPair) return content;
  const isInner = (index: number) => index !== first && index !== last;
  const moved = (index: number) => index - [first, last].filter((at) => at < index).length;
  return {
    script: {
      ...script,
      text: blanked(blanked(script.text, statements[last]!), statements[first]!),
    },
    statements: statements.filter((_, index) => isInner(index)),
    turns: turns.filter(isInner).map(moved),
    allowances: allowances.map(({ statement, ...one }) => {
      return statement === undefined ? one : { ...one, statement: moved(statement) };
    }),
  };
}

/** Spaces instead of a statement and its delimiter: places stay. */
function blanked(text: string, { start, end }: SqlMigration["statements"][number]): string {
  return text.slice(0, start) + text.slice(start, end).replace(/\S/g, " ") +
    text.slice(end).replace(";", " ");
}

interface Refusal {
  readonly reason: string;
  readonly offset: number;
}

function directiveRefusal(
  { noTransactionAt = 0, lockTimeoutMs, lockTimeoutAt = 0 }: Directives,
  { lockTimeoutRefused: reason }: Dialect,
  transactional: boolean,
  { stepsRefused }: SessionFacts,
): Refusal | undefined {
  if (!transactional && stepsRefused !== undefined) {
    return { reason: stepsRefused, offset: noTransactionAt };
  }
  return lockTimeoutMs === undefined || !reason ? undefined : { reason, offset: lockTimeoutAt };
}

function byteOrderMark(text: string, statements: SqlMigration["statements"]): Refusal | undefined {
  const marks = text.matchAll(/(?<=(?:^|;)[^\S\ufeff]*)\ufeff/gm);
  const mark = [...marks].find(({ index }) =>
    !statements.some(({ start, end }) => start < index && index < end)
  );
  return mark && { reason: BYTE_ORDER_MARK, offset: mark.index };
}

function statementRefusal(
  statements: SqlMigration["statements"],
  dialect: Dialect,
  grammar: Grammar,
  transactional: boolean,
): Refusal | undefined {
  const harmless = dialect.harmless(statements);
  for (const statement of statements) {
    const reason = dialect.refuse(statement, transactional && !harmless.includes(statement));
    if (reason !== undefined) return { reason, offset: statement.start };
    const offset = ownTableAt(statement, grammar);
    if (offset !== undefined) return { reason: OWN_TABLE, offset: statement.start + offset };
  }
}

const BYTE_ORDER_MARK = "There is a byte order mark (U+FEFF) inside of the file, as where files " +
  "were put together: remove it";
const OWN_TABLE = `'${TABLE}' is the history table: a file must not drop, alter, truncate, ` +
  "rename or lock it";
