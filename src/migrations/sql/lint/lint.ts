import { compareCodePoints, type FileProblem, type LintOptions } from "../../runner/mod.ts";
import { type Datasource, firstSchema } from "../datasource.ts";
import { type Grammar, withStrings } from "../syntax/grammar.ts";
import { StringFollower } from "../syntax/settings.ts";
import type { Statement } from "../syntax/types.ts";
import type { Dialect, SessionFacts, SqlMigration } from "../types.ts";
import { redactor } from "../secret.ts";
import { withoutAllowed } from "./allowances.ts";
import { Locks } from "./locks.ts";
import { loadParser, type Parse } from "./parser.ts";
import { lintPostgresql } from "./postgresql.ts";
import type { Finding, TableName } from "./rules.ts";
import { Schema, type TableFacts } from "./schema.ts";
import { partsOf } from "./statement.ts";
import { type Subject, tableNameOf } from "./subject.ts";
import { lintWords } from "./words.ts";

/** What linting needs to know of a datasource. */
export interface LintSettings {
  readonly datasource: Datasource;
  readonly dialect: Dialect;
  readonly facts: SessionFacts;
  /** What the live database says of tables; absent where there is none at hand. */
  readonly describe?: (
    names: readonly TableName[],
    options?: { readonly sizes?: boolean },
  ) => Promise<readonly TableFacts[]>;
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
  if (lint === undefined || lint === "off" || !files.some(isLinted)) return [];
  const parse = await parserFor(files, settings);
  const refused = new Set<string>();
  const look = (known: readonly TableFacts[]) => {
    const schema = new Schema(initialSchema(settings), isRun);
    schema.learn(known);
    const found = files.map((migration) => {
      const linter = new FileLinter(migration, schema, settings, parse);
      const findings = linter.lint();
      if (linter.isRefused) refused.add(migration.file.path);
      return { migration, findings };
    });
    return { found: found.filter(({ migration }) => isLinted(migration)), wanted: schema.wanted };
  };
  let { found, wanted } = look([]);
  if (describe && wanted.length > 0) ({ found } = look(await describe(wanted)));
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
  const severity = lint === "error" ? "error" : "warning";
  const redact = redactor(settings.datasource);
  return unallowed.flatMap(({ migration, findings, problems }) => [
    ...findings.map((finding): FileProblem => {
      const { message, advice, ...problem } = problemOf(finding, migration, severity, known);
      return { ...problem, message: redact(message), advice: advice.map(redact) };
    }),
    ...problems,
  ]);
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
function mayMatter({ words: [first = ""], text }: Statement): boolean {
  if (VERBS.has(first)) return true;
  if (text.length > LONGEST_QUERY) return false;
  if (first === "SELECT") return /\bINTO\b|\bset_config\b/i.test(text);
  if (first === "INSERT") return /\bSELECT\b/i.test(text);
  return first === "WITH" && /\b(?:UPDATE|DELETE|INTO)\b/i.test(text);
}

/** What is longer has values: its tree would take a hundred times the room. */
const LONGEST_QUERY = 50_000;

/** What makes something new, or sets something, is followed, and never found by itself. */
function mayBeFound(statement: Statement): boolean {
  const [first = "", ...others] = statement.words;
  if (["SELECT", "INSERT", "SET"].includes(first)) return false;
  return mayMatter(statement) && (first !== "CREATE" || others.slice(0, 2).includes("INDEX"));
}

const VERBS = new Set([
  ...["ALTER", "CREATE", "DROP", "TRUNCATE", "UPDATE", "DELETE", "LOCK", "VACUUM", "CLUSTER"],
  ...["REINDEX", "REFRESH", "RENAME", "OPTIMIZE", "SET"],
]);

function initialSchema({ datasource: { kind, database, schema } }: LintSettings): string {
  if (kind === "postgresql") return firstSchema(schema) ?? "public";
  return kind === "mysql" ? database : "main";
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
    const subject: Subject = {
      text,
      parts: partsOf(statement, grammar),
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
    const tree = typeof parse === "function" ? parse(text) : undefined;
    if (tree === undefined) {
      this.isRefused ||= typeof parse === "function";
      lintWords(grammar.blocks, subject);
      return;
    }
    const effect = lintPostgresql(tree, subject);
    if (transactional) this.#locks.follow(effect, subject, start);
  }

  /** A table that is made anew, filled, dropped and replaced by what was made loses nothing. */
  #exceptRebuilt(): readonly Finding[] {
    return this.#findings.filter(({ rule, table }) => {
      if (rule !== "drop-table" || table === undefined) return true;
      const { madeIn, isRenamed } = this.schema.table(table);
      return !isRenamed || madeIn !== this.migration.file.path;
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
