import { ConfigError } from "../../config/mod.ts";
import { compareCodePoints, type FileProblem } from "../../migrations/runner/mod.ts";
import { pauses } from "../../runtime/mod.ts";
import { errorOf } from "../../text/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { redactor } from "../../migrations/sql/connect/secret.ts";
import { type Statement, withStrings } from "../../migrations/sql/syntax/grammar.ts";
import { stringFollower } from "../../migrations/sql/syntax/lexer.ts";
import { ofEngine } from "../../migrations/sql/engines/table.ts";
import type { Database, Dialect, SessionFacts, SqlMigration } from "../../migrations/sql/types.ts";
import { LINTED, type LintedDialect } from "./dialects.ts";
import type { Linting, TableFacts, TableName } from "./facts.ts";
import { limitedChange } from "./postgresql/changes.ts";
import { Locks } from "./postgresql/effects.ts";
import { lintPostgresql } from "./postgresql/statements.ts";
import type { Parse } from "./postgresql/tree.ts";
import { factsOf, fileProblem, type Finding, unknownStart, withoutAllowed } from "./report.ts";
import { wordsOf } from "./rules.ts";
import { Schema } from "./schema.ts";
import { type Effect, splitWords, type Subject, type Word } from "./statement.ts";
import { LONGEST, mayBeFound, mayDoubt, mayFill, mayMatter, mayRename } from "./verbs.ts";
import { lintWords } from "./words.ts";

export interface LintOptions {
  /** Whether they are applied in one run: then no other client uses what an earlier one of them makes. @default false */
  readonly isRun?: boolean;
  /** Whether the sizes of the affected tables are looked up. @default false */
  readonly sizes?: boolean;
  /** The paths of all files, invalid ones included. @default those of the migrations */
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

export async function lintFiles(
  files: readonly SqlMigration[],
  options: LintOptions,
  settings: LintSettings,
): Promise<readonly FileProblem[]> {
  const linted = lintedBy(settings);
  return linted ? await new Linter(files, options, settings, linted).problems() : [];
}

/** Nothing where its dialect cannot be linted, and need not. @throws {ConfigError} where it is to be */
function lintedBy({ lint, datasource, onNotice }: LintSettings): LintedDialect | undefined {
  try {
    const { kind, engine = kind } = datasource;
    return ofEngine(LINTED, datasource, "'lint'", engine in LINTED ? engine : kind);
  } catch (error) {
    if (lint === "error") throw error;
    onNotice(errorOf(error).message);
  }
}

/** How long a look at tables may wait for others, in milliseconds. */
const WAIT_MS = 1000;

/** Changes that break applications even if a table has no rows, and those that lock other sessions. */
const BREAKING =
  /^(?:altering|breaking|disabling|drop|enabling|hiding|locks|renaming|replacing|restricting|revoking)-/;

interface LintedFile {
  readonly migration: SqlMigration;
  readonly findings: readonly Finding[];
}

class Linter {
  #parse: Parse | "missing" | undefined;

  constructor(
    private readonly files: readonly SqlMigration[],
    private readonly options: LintOptions,
    private readonly settings: LintSettings,
    private readonly linted: LintedDialect,
  ) {}

  async problems(): Promise<readonly FileProblem[]> {
    const { files, settings: { lint, lintFrom, datasource } } = this;
    const { isRun, sizes, paths = files.map(({ file: { path } }) => path) } = this.options;
    const severity = lint === "error" ? "error" : "warning";
    const unknown = lintFrom !== undefined && !paths.includes(lintFrom)
      ? [unknownStart(lintFrom, paths, severity)]
      : [];
    const isLinted = ({ file: { path } }: SqlMigration) =>
      compareCodePoints(path, lintFrom ?? "") >= 0;
    if (!files.some(isLinted)) return unknown;
    this.#parse = await this.#parser();
    // Without a row in a table there is nothing to find of rows.
    const mayBeEmpty = this.linted.tellsEmpty &&
      !this.#mayAny((statement) => mayRename(statement) || mayFill(statement));
    const concerned = ({ rule, table }: Finding) =>
      mayBeEmpty && table && !BREAKING.test(rule) ? [table] : [];
    const { found, described } = await this.#lint(({ migration, findings }) => {
      return isLinted(migration) ? findings.flatMap(concerned) : [];
    });
    const unallowed = found.filter(({ migration }) => isLinted(migration)).map((file) => {
      const { migration, findings } = file;
      const isChecked = findings.every(({ rule }) => rule !== "unchecked-statement");
      const isComplete = !isRun && this.#parse !== "missing" && isChecked;
      return { migration, ...withoutAllowed(migration, findings, isComplete) };
    });
    const tables = unallowed.flatMap(({ findings }) =>
      findings.flatMap(({ table }) => table ?? [])
    );
    const sized = sizes ? await this.#describe(tables, sizes) ?? [] : [];
    const redact = redactor(datasource);
    const problems = unallowed.flatMap(({ migration, findings, problems }) => [
      ...findings
        .filter((finding) =>
          !concerned(finding).some((table) => factsOf(table, described)?.isEmpty)
        )
        .map((finding) => fileProblem(finding, migration, severity, sized, redact)),
      ...problems,
    ]);
    return [...unknown, ...problems];
  }

  /** Asks the live database about tables, indexes and domains, and for sizes if wanted; nothing comes if that fails. */
  async #describe(names: readonly TableName[], sizes = false) {
    const { settings: { datasource, database, onNotice }, linted } = this;
    if (names.length === 0) return [];
    if (database === undefined) return undefined;
    const parse = this.#parse;
    const options = { sizes, datasource, ...(typeof parse === "function" && { parse }) };
    try {
      return await linted.describe?.((sql) => database.query(sql, WAIT_MS), names, options);
    } catch (error) {
      onNotice(`The types and sizes of tables are not known: ${errorOf(error).message}`);
    }
  }

  /**
   * Looks at files, and asks the live database about what they use, until it knows no more.
   * @param tablesOf tables whose rows decide whether the findings hold
   */
  async #lint(tablesOf: (file: LintedFile) => readonly TableName[]) {
    const { files, linted: { home, temporary }, settings: { datasource } } = this;
    const isCertain = !this.#mayAny(mayRename);
    const isAsked = this.#mayAny(mayBeFound);
    const described: TableFacts[] = [];
    const asked = new Set<string>();
    const pause = pauses();
    for (;;) {
      const schema = new Schema(home(datasource), temporary, this.options.isRun ?? false);
      schema.learn(described, isCertain ? [...asked] : []);
      const found: LintedFile[] = [];
      for (const migration of files) {
        found.push({ migration, findings: await this.#lintFile(migration, schema, pause) });
      }
      // The answer of the database may lead to more tables, such as that of the domain of a column.
      const more = [...schema.wanted.values(), ...found.flatMap(tablesOf)].filter((name) => {
        const key = JSON.stringify(name);
        return !asked.has(key) && asked.add(key);
      });
      const facts = isAsked && more.length > 0 ? await this.#describe(more) : undefined;
      // Without an answer, no table counts as missing.
      if (facts === undefined) return { found, described };
      described.push(...facts);
    }
  }

  #mayAny(may: (statement: Statement) => boolean): boolean {
    return this.files.some(({ statements }) => statements.some(may));
  }

  async #parser(): Promise<Parse | "missing" | undefined> {
    if (!this.#mayAny(mayBeFound)) return undefined;
    try {
      return await this.linted.parser?.();
    } catch (cause) {
      const reason = errorOf(cause).message;
      // Without it, the findings that would stop a run are missed.
      if (this.settings.lint === "error") {
        throw new ConfigError(
          `Cannot lint the files without the PostgreSQL grammar, as 'lint: error' demands: ${reason}`,
          { cause },
        );
      }
      this.settings.onNotice(
        `Files are linted by keywords only, without the PostgreSQL grammar: ${reason}`,
      );
      return "missing";
    }
  }

  async #lintFile(migration: SqlMigration, schema: Schema, pause: () => Promise<void>) {
    const { file: { path }, script, statements, transactional } = migration;
    const { settings: { dialect, facts }, linted: { longestName } } = this;
    const findings: Finding[] = [];
    const locks = new Locks((offset) => script.locate(offset).line);
    let grammar = facts.strings ? withStrings(dialect.grammar, facts.strings) : dialect.grammar;
    const follow = stringFollower(grammar);
    schema.begin(path);
    for (const [index, statement] of statements.entries()) {
      await pause();
      const { start, text } = statement;
      if (mayMatter(statement)) {
        const effect: Effect = { locks: [], works: false };
        const subject: Subject = {
          ...{ text, schema, rest: text.slice(LONGEST) },
          parts: splitWords(text.slice(0, LONGEST), grammar),
          source: (from, to = text.length) => script.original(start + from, start + to),
          report: (at, name, values, table) => {
            findings.push({
              ...wordsOf(name, values),
              ...{ statement: index, offset: start + at },
              ...(table && { table: { schema: table.schema, name: table.name } }),
            });
          },
          lock: (table, strength = "reads", isDropped = false) => {
            if (isDropped || !schema.isNew(table)) {
              effect.locks.push({ table, strength, isDropped });
            }
          },
          work: () => effect.works = true,
        };
        const long = longestName && subject.parts.find((part) => bytesOfName(part) > longestName);
        if (long) subject.report(long.start, "shortening-name", { name: long.text });
        const count = findings.length;
        this.#look(subject, statement, () => {
          findings.length = count;
          Object.assign(effect, { locks: [], works: false });
        });
        if (transactional) locks.follow(effect, subject, start);
      }
      const isDropped = !transactional && /\bON\s+COMMIT\s+DROP\b/i.test(text);
      if (isDropped || mayDoubt(statement)) schema.doubt();
      else if (mayRename(statement)) schema.forgetNames();
      grammar = follow(statement, grammar);
    }
    // A later statement of the file may repair it: a table that is filled and replaced, a policy.
    return findings.filter(({ rule, table }) => {
      if (table === undefined) return true;
      if (rule === "enabling-row-security") return !schema.table(table).hasPolicy;
      return rule !== "drop-table" || !schema.isReplaced(table);
    });
  }

  /** @param forget what has been found in the statement */
  #look(subject: Subject, statement: Statement, forget: () => void): void {
    const parse = this.#parse;
    if (typeof parse === "function") {
      if (limitedChange(subject)) return;
      try {
        const tree = subject.rest === "" ? parse(subject.text) : undefined;
        if (tree) return lintPostgresql(tree, subject);
      } catch {
        // Whatever is wrong with it, it is no reason to stop.
        forget();
      }
      if (mayBeFound(statement)) subject.report(0, "unchecked-statement", {});
    }
    lintWords(this.linted.words, subject);
  }
}

function bytesOfName({ text }: Word): number {
  const [, name = ""] = /^"?([^"'$]+)"?$/.exec(text) ?? [];
  return new TextEncoder().encode(name).length;
}
