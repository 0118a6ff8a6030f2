import { compareCodePoints, type FileProblem, type LintOptions } from "../../runner/mod.ts";
import { nearest, quoted } from "../../../text/mod.ts";
import { type Datasource, firstSchema } from "../connect/datasource.ts";
import { type Grammar, withStrings } from "../syntax/grammar.ts";
import { StringFollower } from "../syntax/settings.ts";
import type { Statement } from "../syntax/types.ts";
import type { Dialect, SessionFacts, SqlMigration } from "../types.ts";
import { redactor } from "../connect/secret.ts";
import { withoutAllowed } from "./allowances.ts";
import { limitedChange } from "./changes.ts";
import type { Effect } from "./effects.ts";
import { Locks } from "./locks.ts";
import { loadParser, type Parse } from "./parser.ts";
import { lintPostgresql } from "./postgresql.ts";
import type { Finding, TableName } from "./rules.ts";
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
  const isCertain = !files.some(({ statements }) => statements.some(mayRename));
  // Without a row in a table there is nothing to find of rows.
  const mayBeEmpty = settings.datasource.kind === "postgresql" &&
    isCertain && !files.some(({ statements }) => statements.some(mayFill));
  const concerned = ({ rule, table }: Finding) =>
    mayBeEmpty && table && !BREAKING.test(rule) ? [table] : [];
  const look = (known: readonly TableFacts[], names: readonly string[]) => {
    const schema = new Schema(initialSchema(settings), temporarySchema(settings), isRun);
    schema.learn(known, isCertain ? names : []);
    const found = files.map((migration) => {
      const linter = new FileLinter(migration, schema, settings, parse);
      const findings = linter.lint();
      if (linter.isRefused) refused.add(migration.file.path);
      return { migration, findings };
    }).filter(({ migration }) => isLinted(migration));
    const tables = found.flatMap(({ findings }) => findings.flatMap(concerned));
    return { found, wanted: [...schema.wanted, ...tables] };
  };
  const described: TableFacts[] = [];
  const asked = new Set<string>();
  let { found, wanted } = look(described, []);
  // What the database says may lead to more, such as the domain that a column is of.
  while (describe && files.some(({ statements }) => statements.some(mayBeFound))) {
    const more = wanted.filter((name) => {
      const key = JSON.stringify(name);
      return !asked.has(key) && asked.add(key);
    });
    if (more.length === 0) break;
    const facts = await describe(more);
    // Without an answer, no table counts as missing.
    if (facts === undefined) break;
    described.push(...facts);
    ({ found, wanted } = look(described, [...asked]));
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
  const tables = unallowed.flatMap(({ findings }) => findings.flatMap(({ table }) => table ?? []));
  const sized = sizes && describe ? await describe(tables, { sizes }) ?? [] : [];
  const redact = redactor(settings.datasource);
  const linted = unallowed.flatMap(({ migration, findings, problems }) => [
    ...findings.filter((finding) =>
      !concerned(finding).some((table) => factsOf(table, described)?.isEmpty)
    ).map((finding): FileProblem => {
      const { message, advice, ...problem } = problemOf(finding, migration, severity, sized);
      return { ...problem, message: redact(message), advice: advice.map(redact) };
    }),
    ...problems,
  ]);
  return [...unknown, ...linted];
}

/** What breaks applications although a table has no rows, and what locks others. */
const BREAKING =
  /^(?:altering|drop|enabling|hiding|locks|renaming|replacing|restricting|revoking)-/;
/** Whether a statement may put rows into a table. */
function mayFill({ words }: Statement): boolean {
  return FILLING.test(firstOf(words));
}

/** Whether a name may mean another table afterwards, or a table may hold rows of another one. */
function mayRename(statement: Statement): boolean {
  const first = firstOf(statement.words);
  return /^(?:CALL|DO|EXECUTE|RENAME)$/.test(first) || mayDoubt(statement) ||
    first === "ALTER" && /\b(?:RENAME|SCHEMA)\b/i.test(statement.text) ||
    /^(?:SELECT|SET)$/.test(first) && /\b(?:search_path|set_config)\b/i.test(statement.text);
}

/** Whether it may also be so for what the files have made. */
function mayDoubt({ words, text }: Statement): boolean {
  const first = firstOf(words);
  return /^(?:ABORT|DISCARD|RESET|ROLLBACK|USE)$/.test(first) ||
    /^(?:SET\b|SELECT\b.*\bset_config\b).*\b(?:ROLE|(?:SESSION_)?AUTHORIZATION)\b/is.test(text) ||
    first === "ALTER" && /\b(?:ATTACH|INHERIT)\b|\bSCHEMA\b.*\bRENAME\b/is.test(text);
}

const FILLING = /^(?:CALL|COPY|DO|EXECUTE|EXPLAIN|INSERT|MERGE|REFRESH|SELECT|WITH)$/;

function factsOf(table: TableName | undefined, known: readonly TableFacts[]) {
  return known.find((facts) => facts.name === table?.name && facts.schema === table?.schema);
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
    message: `'migrations.lint_from' names a file that does not exist: ${hint}`,
  };
}

const REFUSED =
  "The PostgreSQL grammar (libpg-query) cannot parse some statements: they are linted by keywords only";

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
    `Files are linted by keywords only, without the PostgreSQL grammar: ${loaded.missing}`,
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
const LOCKING = /\b(?:INDEX|TRIGGER|REFERENCES|PARTITION|POLICY|RULE|UPDATE|DELETE)\b/i;

const VERBS = new Set([
  ...["ALTER", "CREATE", "DROP", "TRUNCATE", "UPDATE", "DELETE", "LOCK", "VACUUM", "CLUSTER"],
  ...["REINDEX", "REFRESH", "RENAME", "OPTIMIZE", "SET", "EXPLAIN", "MERGE", "REVOKE", "PREPARE"],
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
      const isDropped = !this.migration.transactional &&
        /\bON\s+COMMIT\s+DROP\b/i.test(statement.text);
      if (isDropped || mayDoubt(statement)) this.schema.doubt();
      else if (mayRename(statement)) this.schema.forgetNames();
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

  /** What a later statement of the file makes good: a table that is filled and replaced, a policy. */
  #exceptRebuilt(): readonly Finding[] {
    return this.#findings.filter(({ rule, table }) => {
      if (table === undefined) return true;
      if (rule === "enabling-row-security") return !this.schema.table(table).hasPolicy;
      return rule !== "drop-table" || !this.schema.isReplaced(table);
    });
  }
}

function problemOf(
  { rule, offset, message, advice, table }: Finding,
  { file: { path }, script }: SqlMigration,
  severity: FileProblem["severity"],
  known: readonly TableFacts[],
): FileProblem & Required<Pick<FileProblem, "advice">> {
  const size = factsOf(table, known);
  return {
    severity,
    path,
    message,
    ...script.locate(offset),
    rule,
    advice: [
      ...size ? sizeOf(size) : [],
      ...advice,
      `If this is intentional: -- irori: allow ${rule}: <reason>`,
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
