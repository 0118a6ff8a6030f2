import { lintCopies } from "./mysql_copies.ts";
import type { Table } from "./schema.ts";
import { isLimited, listFrom, type NameAt, nameAt, type Part, type Subject } from "./statement.ts";

/** What differs by dialect. */
export interface WordRules {
  /** Which names are the same in another case. */
  readonly folds: "all" | "plain" | "none";
  /** Whether `CREATE INDEX` blocks writes, unless it is `CONCURRENTLY`. @default false */
  readonly locksForIndex?: boolean;
  /** Whether changes copy tables. @default false */
  readonly copies?: boolean;
  /** Whether `UPDATE` and `DELETE` have a `LIMIT`. @default false */
  readonly limitsChanges?: boolean;
  /** Whether `RENAME b` renames a table. @default false */
  readonly renamesTables?: boolean;
  /** Whether a schema is a database. @default false */
  readonly hasDatabases?: boolean;
}

/**
 * Looks at one statement by its words, where there is no grammar of the server: MySQL, MariaDB, SQLite, and what
 * PostgreSQL's refuses. Says only what is certain from them.
 */
export function lintWords(rules: WordRules, subject: Subject): void {
  const reader = new Reader(rules, subject);
  STATEMENTS[reader.words[0] ?? ""]?.(reader, subject);
}

class Reader {
  readonly parts: readonly Part[];
  readonly words: readonly string[];

  constructor(readonly rules: WordRules, readonly subject: Subject) {
    // `/*!40000 DROP TABLE …`: a comment that MySQL runs.
    const [first, second] = subject.parts;
    const isComment = first?.text.endsWith("!");
    const skipped = !isComment ? 0 : /^\d+$/.test(second?.text ?? "") ? 2 : 1;
    this.parts = subject.parts.slice(skipped);
    this.words = wordsIn(this.parts);
  }

  /** Position behind these words, each of which may be missing. */
  behind(at: number, ...optional: readonly string[]): number {
    return optional.reduce((next, word) => this.words[next] === word ? next + 1 : next, at);
  }

  name(at: number): NameAt | undefined {
    // MySQL compares names of tables as they are written, SQLite those in quotes without case, too.
    const { folds } = this.rules;
    const found = nameAt(this.parts, at, (name) => folds === "none" ? name : name.toLowerCase());
    return found && folds === "all" ? { ...found, name: found.name.toLowerCase() } : found;
  }

  names(at: number): readonly NameAt[] {
    return listFrom(this.parts, at).flatMap(([first]) => {
      return first ? this.name(this.parts.indexOf(first)) ?? [] : [];
    });
  }

  sources(from: number): readonly NameAt[] {
    return this.words.flatMap((word, at) => {
      const isSource = at >= from && /^(?:FROM|JOIN)$/.test(word);
      return isSource ? this.name(at + 1) ?? [] : [];
    });
  }
}

function wordsIn(parts: readonly Part[]): readonly string[] {
  return parts.map(({ word, isQuoted }) => isQuoted ? "" : word);
}

const STATEMENTS: Readonly<Record<string, (reader: Reader, subject: Subject) => void>> = {
  INSERT: (reader, { schema }) => {
    const into = reader.words.indexOf("INTO");
    const name = into < 0 ? undefined : reader.name(reader.behind(into + 1, "TABLE"));
    if (name) schema.fill(name, reader.sources(name.next));
  },
  CREATE: create,
  DROP: drop,
  TRUNCATE: (reader, { schema, report }) => {
    for (const name of reader.names(reader.behind(1, "TABLE", "ONLY"))) {
      const table = schema.used(name);
      const values = { what: "", table: name.text, more: "" };
      if (table) report(name.start, "truncate-table", values, table);
    }
  },
  UPDATE: (reader) => {
    const at = reader.words[1] === "OR" ? 3 : 1;
    lintEveryRow("update", reader, reader.behind(at, "LOW_PRIORITY", "IGNORE"));
  },
  DELETE: (reader) => {
    const at = reader.behind(1, "LOW_PRIORITY", "QUICK", "IGNORE");
    if (reader.words[at] === "FROM") lintEveryRow("delete", reader, at + 1);
  },
  RENAME: (reader) => {
    if (!/^TABLES?$/.test(reader.words[1] ?? "")) return;
    for (const [first] of listFrom(reader.parts, 2)) {
      const from = first && reader.name(reader.parts.indexOf(first));
      const to = from && reader.words[from.next] === "TO" ? reader.name(from.next + 1) : undefined;
      if (from && to) renameTable(reader, from, to, from.start);
    }
  },
  ALTER: (reader) => {
    const at = reader.behind(1, "ONLINE", "IGNORE");
    if (reader.words[at] !== "TABLE") return;
    const name = reader.name(reader.behind(at + 1, "IF", "EXISTS", "ONLY"));
    if (name) alterTable(reader, name);
  },
  OPTIMIZE: (reader, { schema, report }) => {
    if (!reader.rules.copies) return;
    for (const name of reader.names(reader.behind(1, "LOCAL", "NO_WRITE_TO_BINLOG", "TABLE"))) {
      const table = schema.used(name);
      if (table) report(0, "rewriting-table: OPTIMIZE", { table: name.text }, table);
    }
  },
};

const MODIFIERS = ["OR", "REPLACE", "GLOBAL", "LOCAL", "TEMP", "TEMPORARY", "UNLOGGED"];

function create(reader: Reader, subject: Subject): void {
  const { words, rules } = reader;
  const start = reader.behind(1, ...MODIFIERS);
  if (words[start] === "TABLE") createTable(reader, subject, start);
  else if (rules.copies && /^(?:FULLTEXT|SPATIAL)$/.test(words[start] ?? "")) {
    const name = reader.name(words.indexOf("ON") + 1);
    const table = name && subject.schema.used(name);
    if (table) lintCopies(subject, name, table, [["ADD", ...words.slice(start)]]);
  } else if (rules.locksForIndex) createIndex(reader, subject, reader.behind(start, "UNIQUE"));
}

function createTable(reader: Reader, { schema }: Subject, start: number): void {
  const { words } = reader;
  const name = reader.name(reader.behind(start + 1, "IF", "NOT", "EXISTS"));
  if (!name) return;
  const isTemporary = words.slice(0, start).some((word) => /^TEMP(?:ORARY)?$/.test(word));
  const made = isTemporary ? { name: name.name, schema: schema.temporary } : name;
  if (words[start + 1] === "IF" && schema.isThere(made)) return;
  const replaced = words[1] === "OR" ? schema.used(name) : undefined;
  if (replaced) reportDrop(reader, name, replaced);
  schema.make(made);
  schema.fill(made, reader.sources(name.next));
}

function createIndex(reader: Reader, { schema, report }: Subject, at: number): void {
  const { words } = reader;
  if (words[at] !== "INDEX" || words[at + 1] === "CONCURRENTLY") return;
  const on = words.indexOf("ON", at);
  const name = on < 0 || words[on + 1] === "ONLY" ? undefined : reader.name(on + 1);
  const table = name && schema.used(name);
  if (!table) return;
  const values = { table: name.text, concurrently: "  CREATE INDEX CONCURRENTLY …" };
  report(0, "require-concurrent-index-creation", values, table);
}

function drop(reader: Reader, { schema, report }: Subject): void {
  const { words, rules } = reader;
  const [, what = ""] = words;
  if (what === "DATABASE" || what === "SCHEMA" && rules.hasDatabases) {
    const name = reader.name(reader.behind(2, "IF", "EXISTS"));
    report(0, "drop-database", { database: name?.text ?? "" });
  }
  if (!/^TABLES?$/.test(what)) return;
  const names = reader.names(reader.behind(2, "IF", "EXISTS"));
  for (const name of names) {
    const table = schema.used(name);
    schema.drop(name);
    if (table) reportDrop(reader, name, table);
  }
  // The name is what keeps it from being read.
  if (names.length === 0) report(0, "drop-table: unknown name", {});
}

function reportDrop({ subject }: Reader, { text, start }: NameAt, table: Table): void {
  const quote = /[`"\]]$/.exec(text)?.[0] ?? "";
  const old = `${quote ? text.slice(0, -1) : text}_old${quote}`;
  subject.report(start, "drop-table", { table: text, old, also: "" }, table);
}

function lintEveryRow(verb: "update" | "delete", reader: Reader, at: number): void {
  const { parts, rules, subject: { rest, schema, report } } = reader;
  if (isLimited(parts.slice(at), rest, ["WHERE", "LIMIT", "JOIN", "USING", "FROM"])) return;
  const name = reader.name(reader.behind(at, "ONLY"));
  const table = name && schema.used(name);
  if (!table) return;
  const isUpdate = verb === "update";
  // Several tables, which a join may limit.
  if (isUpdate && listFrom(parts, at)[0]?.every(({ word }) => word !== "SET")) return;
  const some = isUpdate ? `UPDATE ${name.text} SET … WHERE …` : `DELETE FROM ${name.text}`;
  const safeWay = rules.limitsChanges
    ? ["Safe way: repeat until no row is left:", `  ${some} LIMIT 10000;`]
    : [];
  report(0, `${verb}-without-where`, { table: name.text, safeWay }, table);
}

function renameTable({ subject }: Reader, from: NameAt, to: NameAt, at: number): void {
  const { schema, source, report } = subject;
  const table = schema.used(from);
  schema.rename(from, { name: to.name });
  if (!table) return;
  report(at, "renaming-table", {
    ...{ table: from.text, renamed: to.text, statement: source(0) },
    ...{ unless: "", place: "with the old name" },
  }, table);
}

function alterTable(reader: Reader, name: NameAt): void {
  const { rules, parts, subject } = reader;
  const table = subject.schema.used(name);
  const actions = listFrom(parts, name.next);
  for (const action of actions) {
    const [first] = action;
    if (first === undefined) continue;
    const words = wordsIn(action);
    ACTIONS[words[0] ?? ""]?.({ reader, name, table, words, position: parts.indexOf(first) });
  }
  // ONLINE is LOCK=NONE of MariaDB.
  if (rules.copies && table && reader.words[1] !== "ONLINE") {
    lintCopies(subject, name, table, actions.map(wordsIn));
  }
}

interface Action {
  readonly reader: Reader;
  readonly name: NameAt;
  readonly table: Table | undefined;
  readonly words: readonly string[];
  readonly position: number;
}

const ACTIONS: Readonly<Record<string, (action: Action) => void>> = {
  DROP: (action) => {
    const { reader: { subject }, name, table, words } = action;
    const column = columnOf(action);
    if (words[1] === "PARTITION") dropPartition(action);
    if (NO_COLUMNS.has(words[1] ?? "") || !column || !table) return;
    const values = { table: name.text, column: column.text };
    subject.report(startOf(action), "drop-column", values, table);
  },
  TRUNCATE: (action) => {
    if (action.words[1] === "PARTITION") dropPartition(action);
  },
  // MySQL deletes the file with the rows, and gives those of the partition to the other table.
  DISCARD: dropPartition,
  EXCHANGE: (action) => {
    const { reader: { subject, parts }, name, table, position } = action;
    const values = { table: name.text, partition: parts[position + 2]?.text ?? "" };
    if (table) subject.report(startOf(action), "hiding-rows", values, table);
  },
  RENAME: (action) => {
    const { reader, name, words: [, second = ""], position } = action;
    if (/^(?:INDEX|KEY|CONSTRAINT)$/.test(second)) return;
    const isTable = /^(?:TO|AS)$/.test(second) ||
      (reader.rules.renamesTables && second !== "COLUMN");
    if (!isTable) renameColumn(action, columnOf(action));
    else {
      const to = reader.name(reader.behind(position + 1, second === "TO" ? "TO" : "AS"));
      if (to) renameTable(reader, name, to, startOf(action));
    }
  },
  CHANGE: (action) => {
    const column = columnOf(action);
    const to = column && action.reader.name(column.next);
    if (to?.name !== column?.name) renameColumn(action, column);
  },
};

const NO_COLUMNS = new Set([
  ...["CONSTRAINT", "INDEX", "KEY", "PRIMARY", "FOREIGN", "CHECK", "PARTITION", "SYSTEM"],
  ...["DEFAULT", "PERIOD"],
]);

function startOf({ reader, position }: Action): number {
  return reader.parts[position]!.start;
}

function columnOf({ reader, position }: Action): NameAt | undefined {
  return reader.name(reader.behind(position + 1, "COLUMN", "IF", "EXISTS"));
}

function dropPartition(action: Action): void {
  const { reader: { subject }, name, table, words } = action;
  if (!table) return;
  const what = words.includes("PARTITION") ? "the partition of " : "";
  const values = { what, table: name.text, more: "" };
  subject.report(startOf(action), "truncate-table", values, table);
}

function renameColumn(action: Action, column: NameAt | undefined): void {
  const { reader: { subject }, name, table } = action;
  if (!table || !column) return;
  const values = { table: name.text, column: column.text, quoted: column.text };
  subject.report(startOf(action), "renaming-column", values, table);
}
