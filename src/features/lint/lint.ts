import { ConfigError } from "../../config/mod.ts";
import { compareCodePoints, type FileProblem } from "../../migrations/runner/mod.ts";
import { pauses } from "../../runtime/mod.ts";
import { errorOf } from "../../text/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { redactor } from "../../migrations/sql/connect/secret.ts";
import { type Grammar, type Statement, withStrings } from "../../migrations/sql/syntax/grammar.ts";
import { StringFollower } from "../../migrations/sql/syntax/settings.ts";
import { ofEngine } from "../../migrations/sql/engines/table.ts";
import type { Database, Dialect, SessionFacts, SqlMigration } from "../../migrations/sql/types.ts";
import { LINTED, type LintedDialect } from "./dialects.ts";
import type { Describe, Linting, TableFacts, TableName } from "./facts.ts";
import { limitedChange } from "./postgresql/changes.ts";
import { Locks } from "./postgresql/effects.ts";
import { lintPostgresql } from "./postgresql/statements.ts";
import type { Parse } from "./postgresql/tree.ts";
import { factsOf, type Finding, problemOf, unknownStart, withoutAllowed } from "./report.ts";
import { wordsOf } from "./rules.ts";
import { Schema } from "./schema.ts";
import { type Effect, type Part, partsOf, type Subject } from "./statement.ts";
import { LONGEST, mayBeFound, mayDoubt, mayFill, mayMatter, mayRename } from "./verbs.ts";
import { lintWords } from "./words.ts";

export interface LintOptions {
  /** Whether they are applied in one run: then no other client uses what an earlier one of them makes. @default false */
  readonly isRun?: boolean;
  /** Whether the sizes of the affected tables are looked up. @default false */
  readonly sizes?: boolean;
  /** Of all files, invalid ones included. @default those of the migrations */
  readonly paths?: readonly string[];
}

export interface LintSettings extends Linting {
  readonly datasource: Datasource;
  readonly dialect: Dialect;
  readonly facts: SessionFacts;
  /** Is asked about tables. @default none is */
  readonly database?: Pick<Database, "query">;
  readonly onNotice: (message: string, file?: string) => void;
}

interface Prepared extends LintSettings {
  readonly linted: LintedDialect;
  readonly parse: Parse | "missing" | undefined;
  readonly describe: Describe;
}

export async function lintFiles(
  files: readonly SqlMigration[],
  { isRun = false, sizes = false, paths = files.map(({ file: { path } }) => path) }: LintOptions,
  given: LintSettings,
): Promise<readonly FileProblem[]> {
  const linted = lintedBy(given);
  if (linted === undefined) return [];
  const { lint, lintFrom } = given;
  const severity = lint === "error" ? "error" : "warning";
  const unknown = lintFrom !== undefined && !paths.includes(lintFrom)
    ? [unknownStart(lintFrom, paths, severity)]
    : [];
  const isLinted = (path: string) =>
    lintFrom === undefined || compareCodePoints(path, lintFrom) >= 0;
  if (!files.some(({ file: { path } }) => isLinted(path))) return unknown;
  const parse = await parserFor(files, linted, given);
  const describe = describerFor(linted, parse, given);
  // Without a row in a table there is nothing to find of rows.
  const mayBeEmpty = linted.tellsEmpty &&
    !mayAny(files, (statement) => mayRename(statement) || mayFill(statement));
  const concerned = ({ rule, table }: Finding) =>
    mayBeEmpty && table && !BREAKING.test(rule) ? [table] : [];
  const { found, described } = await lintWithFacts(
    files,
    isRun,
    { ...given, linted, parse, describe },
    ({ path, findings }) => isLinted(path) ? findings.flatMap(concerned) : [],
  );
  const unallowed = found.filter(({ path }) => isLinted(path)).map((file) => {
    const isChecked = file.findings.every(({ rule }) => rule !== "unchecked-statement");
    const isComplete = !isRun && parse !== "missing" && isChecked;
    const { migration } = file;
    return { migration, ...withoutAllowed(migration, file.findings, isComplete) };
  });
  const tables = unallowed.flatMap(({ findings }) => findings.flatMap(({ table }) => table ?? []));
  const sized = sizes ? await describe(tables, { sizes }) ?? [] : [];
  const redact = redactor(given.datasource);
  const problems = unallowed.flatMap(({ migration, findings, problems }) => [
    ...findings
      .filter((finding) => !concerned(finding).some((table) => factsOf(table, described)?.isEmpty))
      .map((finding) => problemOf(finding, migration, severity, sized, redact)),
    ...problems,
  ]);
  return [...unknown, ...problems];
}

/** Nothing where its dialect cannot be linted, and need not. @throws {ConfigError} where it is to be */
function lintedBy({ lint, datasource, onNotice }: LintSettings): LintedDialect | undefined {
  try {
    return ofEngine(LINTED, datasource, "'lint'", datasource.kind);
  } catch (error) {
    if (lint === "error") throw error;
    onNotice(errorOf(error).message);
  }
}

function describerFor(
  linted: LintedDialect,
  parse: Prepared["parse"],
  { datasource, database, onNotice }: LintSettings,
): Describe {
  return async (names, { sizes = false } = {}) => {
    if (names.length === 0) return [];
    if (database === undefined) return undefined;
    const options = { sizes, datasource, ...(typeof parse === "function" && { parse }) };
    return await linted.describe(database, names, options).catch((error) => {
      onNotice(`The types and sizes of tables are not known: ${errorOf(error).message}`);
      return undefined;
    });
  };
}

function bytesOfName({ text }: Part): number {
  const [, name = ""] = /^"?([^"'$]+)"?$/.exec(text) ?? [];
  return new TextEncoder().encode(name).length;
}

/** What breaks applications although a table has no rows, and what locks others. */
const BREAKING =
  /^(?:altering|breaking|disabling|drop|enabling|hiding|locks|renaming|replacing|restricting|revoking)-/;

interface LintedFile {
  readonly migration: SqlMigration;
  readonly path: string;
  readonly findings: readonly Finding[];
}

/** Looks at files, and asks the live database about what they use, until it knows no more. */
async function lintWithFacts(
  files: readonly SqlMigration[],
  isRun: boolean,
  settings: Prepared,
  /** Tables whose rows decide whether the findings hold. */
  tablesOf: (file: LintedFile) => readonly TableName[],
): Promise<{ readonly found: readonly LintedFile[]; readonly described: readonly TableFacts[] }> {
  const isCertain = !mayAny(files, mayRename);
  const described: TableFacts[] = [];
  const asked = new Set<string>();
  const pause = pauses();
  const describe = mayAny(files, mayBeFound) ? settings.describe : undefined;
  for (;;) {
    const { linted: { home, temporary }, datasource } = settings;
    const schema = new Schema(home(datasource), temporary, isRun);
    schema.learn(described, isCertain ? [...asked] : []);
    const found: LintedFile[] = [];
    for (const migration of files) {
      found.push(await new FileLinter(migration, schema, settings).lint(pause));
    }
    // What the database says may lead to more, such as the domain that a column is of.
    const more = [...schema.wanted.values(), ...found.flatMap(tablesOf)].filter((name) => {
      const key = JSON.stringify(name);
      return !asked.has(key) && asked.add(key);
    });
    const facts = more.length > 0 ? await describe?.(more) : undefined;
    // Without an answer, no table counts as missing.
    if (facts === undefined) return { found, described };
    described.push(...facts);
  }
}

function mayAny(files: readonly SqlMigration[], may: (statement: Statement) => boolean): boolean {
  return files.some(({ statements }) => statements.some(may));
}

async function parserFor(
  files: readonly SqlMigration[],
  linted: LintedDialect,
  { lint, onNotice }: LintSettings,
): Promise<Prepared["parse"]> {
  if (!mayAny(files, mayBeFound)) return undefined;
  try {
    return await linted.parser();
  } catch (cause) {
    const reason = errorOf(cause).message;
    // Without it, the findings that would stop a run are missed.
    if (lint === "error") {
      throw new ConfigError(
        `Cannot lint the files without the PostgreSQL grammar, as 'lint: error' demands: ${reason}`,
        { cause },
      );
    }
    onNotice(`Files are linted by keywords only, without the PostgreSQL grammar: ${reason}`);
    return "missing";
  }
}

class FileLinter {
  readonly #findings: Finding[] = [];
  #effect: Effect = { locks: [], works: false };
  readonly #locks: Locks;

  constructor(
    private readonly migration: SqlMigration,
    private readonly schema: Schema,
    private readonly settings: Prepared,
  ) {
    this.#locks = new Locks((offset) => migration.script.locate(offset).line);
  }

  async lint(pause: () => Promise<void>): Promise<LintedFile> {
    const { file: { path }, statements } = this.migration;
    const { dialect, facts } = this.settings;
    let grammar = facts.strings ? withStrings(dialect.grammar, facts.strings) : dialect.grammar;
    const follower = new StringFollower(grammar);
    this.schema.begin(path);
    for (const [index, statement] of statements.entries()) {
      await pause();
      if (mayMatter(statement)) this.#look(index, statement, grammar);
      const isDropped = !this.migration.transactional &&
        /\bON\s+COMMIT\s+DROP\b/i.test(statement.text);
      if (isDropped || mayDoubt(statement)) this.schema.doubt();
      else if (mayRename(statement)) this.schema.forgetNames();
      grammar = follower.behind(statement, grammar);
    }
    return { migration: this.migration, path, findings: this.#exceptRebuilt() };
  }

  #look(index: number, statement: Statement, grammar: Grammar): void {
    const { migration: { script, transactional }, schema, settings: { linted } } = this;
    this.#effect = { locks: [], works: false };
    const { start, text } = statement;
    const parts = partsOf(text.slice(0, LONGEST), grammar);
    const rest = text.slice(LONGEST);
    const subject: Subject = {
      ...{ text, parts, rest, schema },
      source: (from, to = text.length) => script.original(start + from, start + to),
      report: (at, name, values, table) => {
        this.#findings.push({
          ...wordsOf(name, values),
          ...{ statement: index, offset: start + at },
          ...(table && { table: { schema: table.schema, name: table.name } }),
        });
      },
      lock: (table, strength = "reads", isDropped = false) => {
        if (!isDropped && schema.isNew(table)) return;
        this.#effect.locks.push({ table, strength, isDropped });
      },
      work: () => this.#effect.works = true,
    };
    const { longestName } = linted;
    const long = longestName < Infinity && parts.find((part) => bytesOfName(part) > longestName);
    if (long) subject.report(long.start, "shortening-name", { name: long.text });
    if (!this.#isReadByGrammar(subject, statement)) lintWords(linted.words, subject);
    if (transactional) this.#locks.follow(this.#effect, subject, start);
  }

  #isReadByGrammar(subject: Subject, statement: Statement): boolean {
    const { parse } = this.settings;
    if (typeof parse !== "function") return false;
    if (limitedChange(subject)) return true;
    const count = this.#findings.length;
    try {
      const tree = subject.rest === "" ? parse(subject.text) : undefined;
      if (tree) {
        lintPostgresql(tree, subject);
        return true;
      }
    } catch {
      // Whatever is wrong with it, it is no reason to stop.
      this.#findings.length = count;
      this.#effect = { locks: [], works: false };
    }
    if (mayBeFound(statement)) subject.report(0, "unchecked-statement", {});
    return false;
  }

  /** What a later statement of the file makes good: a table that is filled and replaced, a policy. */
  #exceptRebuilt(): readonly Finding[] {
    return this.#findings.filter(({ rule, table }) => {
      if (table === undefined) return true;
      if (rule === "enabling-row-security") return !this.schema.table(table).hasPolicy;
      return rule !== "drop-table" || !this.schema.isReplaced(table);
    });
  }
}
