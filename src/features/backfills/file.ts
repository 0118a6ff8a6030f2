import { durationMs, hexDigest } from "../../text/mod.ts";
import type { LoadedFile, MigrationFile } from "../../migrations/runner/mod.ts";
import { engineOf } from "../../migrations/sql/engines/table.ts";
import { invalidFile, type Position, readScript } from "../../migrations/sql/files/script.ts";
import { BATCHES_LINE, PLACE } from "./divide.ts";
import { SERVERS } from "./kind.ts";
import { type Columns, nameOf } from "./server.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import type { Grammar } from "../../migrations/sql/syntax/grammar.ts";
import { isName, nameAt, splitWords, type Word } from "../../migrations/sql/syntax/names.ts";
import { dividedAtCommas } from "../../migrations/sql/syntax/lexer.ts";
import { split } from "../../migrations/sql/syntax/splitter.ts";

export interface Backfill extends Columns {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly pauseMs: number;
  /** How far replicas may be behind, in milliseconds, where the file says it. */
  readonly lagMs?: number;
  /** How many other sessions may run a statement. */
  readonly load?: number;
  /** The column in the statement. By itself `user` would be a function, and `order` a keyword. */
  readonly key: string;
  /** Whether its change makes its condition false, so that it is repeated until no row is found. */
  readonly repeats: boolean;
  readonly deletes: boolean;
  readonly place: Position;
  /** The statement with a condition in the place of `${irori.batch}`. */
  statement(condition: string): string;
}

/** @throws {InvalidFilesError} */
export async function loadBackfill(file: MigrationFile, datasource: Datasource): Promise<Backfill> {
  const { engine, kind, migrations: { placeholders } } = datasource;
  if (!((engine ?? kind) in SERVERS)) {
    throw invalidFile(file.path, NO_ENGINE, { line: 1, column: 1 });
  }
  const { grammar } = await engineOf(datasource).dialect();
  const bytes = await file.read();
  // Size, pauses and limits may be others after a while.
  const text = new TextDecoder().decode(bytes).replace(BATCHES_LINE, "").replaceAll("\r", "");
  // It takes the bytes of a large file.
  const backfill = readBackfill({ ...file, bytes }, grammar, placeholders);
  return { ...backfill, hash: await hexDigest(JSON.stringify([backfill.column, text])) };
}

const FORM =
  "Expected 'batches of 5000 by id' (at most 999999), with ', pause 100ms' (at most 30s), ', lag 10s' or " +
  "', load 25' behind it, each at most once";
const NO_ENGINE = "A backfill needs PostgreSQL, MySQL or MariaDB";
const NO_LAG = "Only PostgreSQL says how far replicas are behind: leave out 'lag'";
const ONE = "A backfill has one directive, that of its batches";
const STATEMENT = "Expected one UPDATE, DELETE or INSERT … SELECT";
const CONDITION = `Expected '${PLACE}' once, joined by AND: WHERE ${PLACE} AND total IS NULL`;
const AGAIN = "It would find rows again that it has changed or inserted: it changes their keys";
const OTHER =
  "A row of another table would be changed by each batch that it is joined in: set columns of";
const NAME = '[\\w$\\u0080-\\uffff]+|"(?:[^"]|"")+"|`(?:[^`]|``)+`';
const BATCHES = new RegExp(
  ":\\s*batches\\s+of\\s+(?<size>[1-9]\\d{0,5})" +
    `\\s+by\\s+(?:(?<qualifier>${NAME})\\.)?(?<column>${NAME})` +
    "(?<limits>(?:,\\s*(?<limit>pause|lag|load)\\s+[^\\s,]+(?!.*,\\s*\\k<limit>\\s))*)\\s*$",
  "i",
);

/** @throws {InvalidFilesError} naming line and column */
export function readBackfill(
  file: LoadedFile,
  grammar: Grammar,
  placeholders: Readonly<Record<string, string>>,
): Backfill {
  const { path, hash } = file;
  const { text, locate } = readScript(file, placeholders, grammar.postgresQuotes);
  const fail = (message: string, offset: number) => invalidFile(path, message, locate(offset));
  const { statements: [statement, other], comments, unfinished } = split(text, grammar);
  if (unfinished) throw fail(unfinished.message, unfinished.offset);
  const [{ start, end } = { start: 0, end: 0 }, second] = comments.filter(({ start, end }) =>
    /^--[ \t]*irori[ \t]*:/i.test(text.slice(start, end))
  );
  if (second) throw fail(ONE, second.start);
  const { size, qualifier, column = "", limits = "" } =
    BATCHES.exec(text.slice(start, end))?.groups ?? {};
  const numbers = numbersIn(limits);
  // To MySQL, double quotes stand around a text.
  const isKey = !`${qualifier}${column}`.includes(grammar.postgresQuotes ? "`" : '"');
  if (!numbers || !size || !isKey) throw fail(FORM, start);
  if (numbers.lagMs !== undefined && !grammar.postgresQuotes) throw fail(NO_LAG, start);
  if (!statement || other) throw fail(STATEMENT, other?.start ?? end);
  const refuse = (message: string, word: Word) => fail(message, statement.start + word.start);
  const { at, ...clauses } = clausesOf(statement.text, grammar, [qualifier, column], refuse);
  return {
    ...{ path, hash, column, size: Number(size), ...numbers, ...clauses },
    place: locate(statement.start),
    statement: (condition) =>
      statement.text.slice(0, at) + condition + statement.text.slice(at + PLACE.length),
  };
}

function numbersIn(limits: string): Pick<Backfill, "pauseMs" | "lagMs" | "load"> | undefined {
  const found = limits.toLowerCase().matchAll(/(\w+)\s+([^\s,]+)/g);
  const { pause = "0s", lag, load } = Object.fromEntries(
    Array.from(found, ([, name, value]) => [name, value]),
  );
  const [pauseMs, lagMs] = [pause, lag ?? "0s"].map((time) => durationMs(time));
  if (!(Number(pauseMs) <= 30_000) || lagMs === undefined || !/^\d{1,5}$/.test(load ?? "1")) return;
  return { pauseMs, ...(lag && { lagMs }), ...(load && { load: Number(load) }) };
}

type RefuseWord = (message: string, word: Word) => Error;

/** Words that would leave rows of a range out, or add others. */
const REFUSED =
  /^(?:(?:UNION|EXCEPT|INTERSECT|LIMIT|OFFSET|FETCH|RETURNING) |(?:RIGHT|FULL) (?:OUTER|JOIN)$)/;
/** In a condition these add rows, too; to MySQL `||` is an OR. */
const OR = { postgresql: /^OR$/, mysql: /^(?:X?OR|\|)$/ };
/** Words of a query that have one result for all its rows. */
const ALONE = new RegExp(
  "^(?:(?!IS |NOT )\\S+ DISTINCT(?:ROW)? |(?!INTO )\\S+ (?:(?:GROUP|HAVING|OVER|WINDOW) |" +
    "(?:AVG|ANY_VALUE|CORR|COUNT|EVERY|GROUP_CONCAT|MAX|MIN|SUM|(?:BIT|BOOL)_(?:AND|OR|XOR)|" +
    "(?:COVAR|REGR)_\\w+|STD\\w*|VAR(?:_\\w+|IANCE)|\\w+AGG) \\())",
);
const OTHER_AND = /\bBETWEEN .*? AND |\bCASE .*\bEND\b/g;
const BEFORE_NAME = /^(?:INTO|ONLY|IGNORE|LOW_PRIORITY|HIGH_PRIORITY|DELAYED)$/;
const NO_ALIAS =
  /^(?:SET|WHERE|USING|JOIN|INNER|LEFT|CROSS|NATURAL|STRAIGHT_JOIN|PARTITION|TABLESAMPLE|USE|FORCE|IGNORE)$/;
const ENDS = /^(?:GROUP|HAVING|ON|ORDER|WINDOW)$/;

function clausesOf(
  text: string,
  grammar: Grammar,
  [qualifier, column]: readonly [string | undefined, string],
  refuse: RefuseWord,
) {
  // Without blanks in quoted parts, words can be looked for in the text of all.
  const words = splitWords(text, grammar)
    .map((one) => ({ ...one, word: one.word.replaceAll(/\s/g, "\0") }));
  const outer = outside(words, () => true);
  const verb = outer[0]?.word ?? "";
  if (!/^(?:UPDATE|DELETE|INSERT .*\bSELECT) /.test(textOf(outer))) {
    throw refuse(STATEMENT, words[0]!);
  }
  const [place = words[0]!, second] = words.filter(({ start }) => text.startsWith(PLACE, start));
  const { where, parts } = conditionOf(outer, place, grammar, refuse);
  if (second) throw refuse(CONDITION, second);
  refuseAlone(words, refuse);
  const { name, schema, text: table, into, alias } = tableIn(outer, verb, qualifier, refuse);
  const ofOwn = (part: string) =>
    part.replace(/^(\S+) \. /, (all, name) => sameName(name, alias) ? "" : all);
  const set = outer.find(({ word }) => word === "SET") ?? words[0]!;
  const assigned = words.slice(words.indexOf(set) + 1, words.indexOf(where));
  const changes = dividedAtCommas(assigned, ({ text }) => text);
  const other = changes.find((one) => /^\S+ \. /.test(ofOwn(textOf(one))))?.[0];
  // In PostgreSQL it is a field of a composite column.
  if (other && !grammar.postgresQuotes) throw refuse(`${OTHER} '${alias}'`, other);
  // A column is set to something that is not NULL as it stands, and `x IS NULL` is a part of the condition.
  const columns = changes.map((one) => /^(\S+) = (?!NULL$)/.exec(ofOwn(textOf(one)))?.[1]);
  const conditions = parts.map(ofOwn);
  const repeats = verb === "DELETE" ||
    (verb === "UPDATE" && columns.some((name) => conditions.includes(`${name} IS NULL`)));
  const findsAgain = verb === "UPDATE"
    ? changes.some((change) => changesKey(change, column))
    : sameName(into.name, name) && (!into.schema || !schema || sameName(into.schema, schema));
  if (!repeats && findsAgain) throw refuse(AGAIN, words[0]!);
  return {
    ...{ at: place.start, table, written: into.text, repeats, deletes: verb === "DELETE" },
    key: `${alias}.${column}`,
  };
}

/** @throws unless what has one result for all rows is in a subquery */
function refuseAlone(words: readonly Word[], refuse: RefuseWord): void {
  const own = outside(words, (first) => /^(?:SELECT|WITH)$/.test(`${first?.word}`));
  const alone = own.find(({ word }, index) =>
    ALONE.test(`${own[index - 1]?.word} ${word} ${own[index + 1]?.text}`)
  );
  if (alone) throw refuse(`${alone.word} would be that of each batch alone`, alone);
}

/** The conditions that WHERE joins by AND. @param place is one of them */
function conditionOf(outer: readonly Word[], place: Word, grammar: Grammar, refuse: RefuseWord) {
  const where = outer.findIndex(({ word }) => word === "WHERE");
  const end = outer.findIndex(({ word }, index) => index > where && ENDS.test(word));
  const condition = outer.slice(where, end < 0 ? undefined : end);
  const or = grammar.postgresQuotes ? OR.postgresql : OR.mysql;
  const wrong =
    outer.find(({ word }, index) => REFUSED.test(`${word} ${outer[index + 1]?.word}`)) ??
      condition.find(({ word }) => or.test(word));
  if (wrong) throw refuse(`${wrong.word} would change which rows are in a batch`, wrong);
  const parts = textOf(condition.slice(1)).replaceAll(OTHER_AND, "? ").split(" AND ");
  const isOfConflict = / ON CONFLICT /.test(textOf(outer.slice(0, where)));
  if (!parts.includes("$ { IRORI . BATCH }") || isOfConflict) throw refuse(CONDITION, place);
  return { where: condition[0]!, parts };
}

function textOf(words: readonly Word[]): string {
  return words.map(({ word }) => word).join(" ");
}

/** The names stand before the sign: `a = 1`, `(a, b) = (1, 2)`. PostgreSQL has U&"…" as another form of one. */
function changesKey(change: readonly Word[], column: string): boolean {
  return change.slice(0, change.findIndex(({ text }) => text === "="))
    .some(({ text }) => text === "&" || sameName(text, column));
}

/** The words outside of some parentheses. @param isOut by the first word behind one */
function outside(words: readonly Word[], isOut: (first?: Word) => boolean): readonly Word[] {
  const open: boolean[] = [];
  return words.filter(({ text }, index) => {
    if (text === ")") open.pop();
    const isKept = !open.includes(true);
    if (text === "(") open.push(isOut(words[index + 1]));
    return isKept;
  });
}

function tableIn(
  words: readonly Word[],
  verb: string,
  qualifier: string | undefined,
  refuse: RefuseWord,
) {
  // Another FROM is that of IS DISTINCT FROM.
  const head = words.findIndex(({ word }, index) =>
    word === (verb === "UPDATE" ? verb : "FROM") && words[index - 1]?.word !== "DISTINCT"
  );
  const table = tableAt(words, head + 1);
  if (!table) throw refuse("Expected the name of a table behind it", words[head] ?? words[0]!);
  const into = verb === "INSERT" && tableAt(words, 1) || table;
  const behind = words[words[table.next]?.word === "AS" ? table.next + 1 : table.next];
  const isAlias = behind && isName(behind) && !NO_ALIAS.test(behind.word);
  const { text: alias } = isAlias ? behind : words[table.next - 1]!;
  if (!qualifier || sameName(alias, qualifier)) return { ...table, into, alias };
  const message = `The key must be a column of '${alias}', whose rows the batches are of`;
  throw refuse(message, words[head + 1]!);
}

function tableAt(words: readonly Word[], at: number) {
  while (BEFORE_NAME.test(`${words[at]?.word}`)) at++;
  return nameAt(words, at);
}

function sameName(one: string, other: string): boolean {
  return nameOf(one).toLowerCase() === nameOf(other).toLowerCase();
}
