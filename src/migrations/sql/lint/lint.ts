import { compareCodePoints, type FileProblem, type LintOptions } from "../../runner/mod.ts";
import { nearest, quoted } from "../../../text/mod.ts";
import { type Datasource, firstSchema } from "../datasource.ts";
import { type Grammar, withStrings } from "../syntax/grammar.ts";
import { StringFollower } from "../syntax/settings.ts";
import type { Statement } from "../syntax/types.ts";
import type { Dialect, SessionFacts, SqlMigration } from "../types.ts";
import { redactor } from "../secret.ts";
import { withoutAllowed } from "./allowances.ts";
import { limitedChange } from "./changes.ts";
import type { Effect } from "./effects.ts";
import { Locks } from "./locks.ts";
import { loadParser, type Parse } from "./parser.ts";
import { lintPostgresql } from "./postgresql.ts";
import type { Finding } from "./rules.ts";
import { type Describe, Schema, type TableFacts } from "./schema.ts";
import { partsOf } from "./statement.ts";
import { type Subject, tableNameOf } from "./subject.ts";
import { TEMPORARY } from "./tree.ts";
import { lintWords } from "./words.ts";

/** What linting needs to know of a datasource. */
export interface LintSettings {
  readonly datasource: Datasource;
  readonly dialect: Dialect;
  readonly facts: SessionFacts;
  /** What the live database says of tables; absent where there is none at hand. */
  readonly describe?: Describe;
  /** Told what keeps it from looking closer: a sentence without its final period, and the file it is about. */
  readonly onNotice: (message: string, file?: string) => void;
}

/** Looks for what is dangerous to apply in files, which come in order. */
export async function lintFiles(
  files: readonly SqlMigration[],
  { isRun = false, sizes = false }: LintOptions,
  settings: LintSettings,
): Promise<readonly FileProblem[]> {
  const { datasource: { migrations: { lint, lintFrom } }, describe } = settings;
  const isLinted = ({ file: { path } }: SqlMigration) =>
    lintFrom === undefined || compareCodePoints(path, lintFrom) >= 0;
  if (lint === undefined || lint === "off") return [];
  const severity = lint === "error" ? "error" : "warning";
  const paths = files.map(({ file: { path } }) => path);
  // A run has some of the files alone.
  const unknown = !isRun && lintFrom !== undefined && !paths.includes(lintFrom)
    ? [unknownStart(lintFrom, paths, severity)]
    : [];
  if (!files.some(isLinted)) return unknown;
  const parse = await parserFor(files, settings);
  const refused = new Set<string>();
  const look = (known: readonly TableFacts[]) => {
    const schema = new Schema(initialSchema(settings), temporarySchema(settings), isRun);
    schema.learn(known);
    const found = files.map((migration) => {
      const linter = new FileLinter(migration, schema, settings, parse);
      const findings = linter.lint();
      if (linter.isRefused) refused.add(migration.file.path);
      return { migration, findings };
    });
    return { found: found.filter(({ migration }) => isLinted(migration)), wanted: schema.wanted };
  };
  const described: TableFacts[] = [];
  const asked = new Set<string>();
  let { found, wanted } = look(described);
  // What the database says may lead to more, such as the domain that a column is of.
  while (describe && files.some(({ statements }) => statements.some(mayBeFound))) {
    const more = wanted.filter((name) => !asked.has(JSON.stringify(name)));
    if (more.length === 0) break;
    for (const name of more) asked.add(JSON.stringify(name));
    described.push(...await describe(more));
    ({ found, wanted } = look(described));
  }
  for (const path of refused) settings.onNotice(REFUSED, path);
  const unallowed = found.map(({ migration, findings }) => ({
    migration,
    ...withoutAllowed(
      migration,
      findings,
      !isRun && parse !== "missing" && !refused.has(migration.file.path),
    ),
  }));
  const known = sizes && describe
    ? await describe(
      unallowed.flatMap(({ findings }) => findings.flatMap(({ table }) => table ?? [])),
      { sizes: true },
    )
    : [];
  const redact = redactor(settings.datasource);
  const linted = unallowed.flatMap(({ migration, findings, problems }) => [
    ...findings.map((finding): FileProblem => {
      const { message, advice, ...problem } = problemOf(finding, migration, severity, known);
      return { ...problem, message: redact(message), advice: advice.map(redact) };
    }),
    ...problems,
  ]);
  return [...unknown, ...linted];
}

/** Where `lint_from` is no file, files are left out that were not meant. */
function unknownStart(
  path: string,
  paths: readonly string[],
  severity: FileProblem["severity"],
): FileProblem {
  const near = nearest(path, paths);
  const hint = near.length > 0 ? `did you mean ${quoted(near)}?` : "files before it are not linted";
  return {
    severity,
    path,
    message: `'migrations.lint_from' names a file that is not there: ${hint}`,
  };
}

const REFUSED =
  "PostgreSQL's grammar (libpg-query) cannot read all of it: the rest is linted by its words alone";

/** The grammar where it is of use. */
async function parserFor(
  files: readonly SqlMigration[],
  { datasource: { kind }, onNotice }: LintSettings,
): Promise<Parse | "missing" | undefined> {
  const isNeeded = kind === "postgresql" &&
    files.some(({ statements }) => statements.some(mayBeFound));
  if (!isNeeded) return undefined;
  const loaded = await loadParser();
  if (typeof loaded === "function") return loaded;
  onNotice(
    `Files are linted by their words alone, without the grammar of PostgreSQL: ${loaded.missing}`,
  );
  return "missing";
}

/** Statements that change rows, or nothing, are many and long in dumps: they are not read. */
function mayMatter({ words, text }: Statement): boolean {
  const first = firstOf(words);
  if (VERBS.has(first)) return true;
  if (text.length > LONGEST) return false;
  if (first === "SELECT") return /\bINTO\b|\bset_config\b|\bFROM\b/i.test(text);
  if (first === "INSERT") return /\bSELECT\b/i.test(text);
  return first === "WITH" && /\b(?:UPDATE|DELETE|INTO)\b/i.test(text);
}

/** The verb; before it stands the number of a comment that MySQL runs. */
function firstOf(words: readonly string[]): string {
  return words.find((word) => !/^\d+$/.test(word)) ?? "";
}

/** What is longer has values: its tree would take a hundred times the room, and its tokens ten times. */
const LONGEST = 50_000;

/** What makes something new, or sets something, is followed, and never found by itself. */
function mayBeFound(statement: Statement): boolean {
  const first = firstOf(statement.words);
  if (["SELECT", "INSERT", "SET"].includes(first)) return false;
  return mayMatter(statement) && (first !== "CREATE" || LOCKING.test(statement.text));
}

/** What is made, and locks tables of others. */
const LOCKING = /\b(?:INDEX|TRIGGER|REFERENCES|PARTITION|POLICY|RULE)\b/i;

const VERBS = new Set([
  ...["ALTER", "CREATE", "DROP", "TRUNCATE", "UPDATE", "DELETE", "LOCK", "VACUUM", "CLUSTER"],
  ...["REINDEX", "REFRESH", "RENAME", "OPTIMIZE", "SET", "EXPLAIN", "MERGE"],
]);

function initialSchema({ datasource: { kind, database, schema } }: LintSettings): string {
  if (kind === "postgresql") return firstSchema(schema) ?? "public";
  return kind === "mysql" ? database : "main";
}

function temporarySchema({ datasource: { kind } }: LintSettings): string {
  return kind === "sqlite" ? "temp" : TEMPORARY;
}

/** Looks at the statements of one file. */
class FileLinter {
  readonly #findings: Finding[] = [];
  readonly #locks: Locks;
  /** Whether there is a statement that the grammar refuses. */
  isRefused = false;

  constructor(
    private readonly migration: SqlMigration,
    private readonly schema: Schema,
    private readonly settings: LintSettings,
    private readonly parse: Parse | "missing" | undefined,
  ) {
    this.#locks = new Locks((offset) => migration.script.locate(offset).line);
  }

  lint(): readonly Finding[] {
    const { file: { path }, statements } = this.migration;
    const { dialect, facts } = this.settings;
    let grammar = facts.strings ? withStrings(dialect.grammar, facts.strings) : dialect.grammar;
    const follower = new StringFollower(grammar);
    this.schema.begin(path);
    for (const [index, statement] of statements.entries()) {
      if (mayMatter(statement)) this.#look(index, statement, grammar);
      grammar = follower.behind(statement, grammar);
    }
    return this.#exceptRebuilt();
  }

  #look(index: number, statement: Statement, grammar: Grammar): void {
    const { migration: { script, transactional }, parse } = this;
    const { start, text } = statement;
    const parts = partsOf(text.slice(0, LONGEST), grammar);
    const rest = text.slice(LONGEST);
    const subject: Subject = {
      ...{ text, parts, rest },
      schema: this.schema,
      source: (from, to = text.length) => script.original(start + from, start + to),
      report: (at, { table, advice = [], ...finding }) => {
        this.#findings.push({
          ...finding,
          ...{ advice, statement: index, offset: start + at },
          ...(table && { table: tableNameOf(table) }),
        });
      },
    };
    const effect = typeof parse === "function"
      ? this.#byGrammar(parse, subject)
      : lintWords(grammar.blocks, subject);
    if (transactional && effect) this.#locks.follow(effect, subject, start);
  }

  #byGrammar(parse: Parse, subject: Subject): Effect | void {
    const { text, rest } = subject;
    const limited = limitedChange(subject);
    if (limited) return limited;
    const count = this.#findings.length;
    try {
      const tree = rest === "" ? parse(text) : undefined;
      if (tree) return lintPostgresql(tree, subject);
    } catch {
      // Whatever is wrong with it, it is no reason to stop.
      this.#findings.length = count;
    }
    this.isRefused ||= true;
    lintWords("postgresql", subject);
  }

  /** A table that is made anew, filled, dropped and replaced by what was made loses nothing. */
  #exceptRebuilt(): readonly Finding[] {
    return this.#findings.filter(({ rule, table }) => {
      return rule !== "drop-table" || table === undefined || !this.schema.isReplaced(table);
    });
  }
}

function problemOf(
  { rule, offset, message, advice, table }: Finding,
  { file: { path }, script }: SqlMigration,
  severity: FileProblem["severity"],
  known: readonly TableFacts[],
): FileProblem & Required<Pick<FileProblem, "advice">> {
  const size = known.find((facts) => facts.name === table?.name && facts.schema === table?.schema);
  return {
    severity,
    path,
    message,
    ...script.locate(offset),
    rule,
    advice: [
      ...size ? sizeOf(size) : [],
      ...advice,
      `Where it is meant: -- irori: allow ${rule}: <reason>`,
    ],
  };
}

function sizeOf({ schema, name, rows, bytes }: TableFacts): readonly string[] {
  if (bytes === undefined) return [];
  const has = rows === undefined ? "takes" : `has about ${rows.toLocaleString("en")} rows,`;
  return [`${schema === undefined ? "" : `${schema}.`}${name} ${has} ${bytesOf(bytes)}`];
}

/** `1.1 GB`. */
function bytesOf(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(
    units.length - 1,
    Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)),
  );
  const digits = power > 1 ? 1 : 0;
  return `${(bytes / 1000 ** power).toLocaleString("en", { maximumFractionDigits: digits })} ${
    units[power]
  }`;
}
