import { lintCopies } from "./mysql_copies.ts";
import { allInBatches } from "./rules.ts";
import type { Table } from "./schema.ts";
import {
  isLimited,
  listFrom,
  type NameAt,
  nameAt,
  reporter,
  type ReportTable,
  type Subject,
  type Word,
} from "./statement.ts";

export interface WordRules {
  /** Which names are the same in another case. */
  readonly folds: "all" | "plain" | "none";
  /** Whether `CREATE INDEX` blocks writes, unless it is `CONCURRENTLY`. @default false */
  readonly locksForIndex?: boolean;
  /** Whether changes copy tables, and may have a `LIMIT`, `RENAME b` renames a table, a schema is a database. @default false */
  readonly isMysql?: boolean;
  /** Whether foreign keys are enforced whatever `PRAGMA foreign_keys` says. @default false */
  readonly keepsForeignKeys?: boolean;
}

/** For MySQL, MariaDB, SQLite, and what PostgreSQL's grammar refuses. Says only what is certain. */
export function lintWords(rules: WordRules, subject: Subject): void {
  const reader = new Reader(rules, subject);
  STATEMENTS[reader.words[0] ?? ""]?.(reader, subject);
}

class Reader {
  readonly parts: readonly Word[];
  readonly words: readonly string[];

  constructor(readonly rules: WordRules, readonly subject: Subject) {
    // `/*!40000 DROP TABLE …`: a comment that MySQL runs.
    const [first, second] = subject.parts;
    const skipped = !first?.text.endsWith("!") ? 0 : /^\d+$/.test(second?.text ?? "") ? 2 : 1;
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

  of(name: NameAt, at: number, table: Table = this.subject.schema.table(name)): ReportTable {
    return reporter(this.subject, at, name.text, table);
  }

  sources(from: number): readonly NameAt[] {
    return this.words.flatMap((word, at) =>
      at >= from && /^(?:FROM|JOIN)$/.test(word) ? this.name(at + 1) ?? [] : []
    );
  }
}

function wordsIn(parts: readonly Word[]): readonly string[] {
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
  TRUNCATE: (reader) => {
    for (const name of reader.names(reader.behind(1, "TABLE", "ONLY"))) {
      reader.of(name, name.start)("truncate-table", { what: "", more: "" });
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
    for (const from of reader.names(2)) {
      const to = reader.words[from.next] === "TO" ? reader.name(from.next + 1) : undefined;
      if (to) renameTable(reader, from, to, from.start);
    }
  },
  ALTER: (reader) => {
    const at = reader.behind(1, "ONLINE", "IGNORE");
    if (reader.words[at] !== "TABLE") return;
    const name = reader.name(reader.behind(at + 1, "IF", "EXISTS", "ONLY"));
    if (name) alterTable(reader, name);
  },
  PRAGMA: ({ rules }, { text, report }) => {
    const isOff = /\bforeign_keys\W*[=(]\W*(?:0|false|no|off)\b/i.test(text);
    if (rules.keepsForeignKeys && isOff) report(0, "ignored-pragma", {});
  },
  OPTIMIZE: (reader) => {
    if (!reader.rules.isMysql) return;
    for (const name of reader.names(reader.behind(1, "LOCAL", "NO_WRITE_TO_BINLOG", "TABLE"))) {
      reader.of(name, 0)("rewriting-table: OPTIMIZE", {});
    }
  },
};

const MODIFIERS = ["OR", "REPLACE", "GLOBAL", "LOCAL", "TEMP", "TEMPORARY", "UNLOGGED"];

function create(reader: Reader, subject: Subject): void {
  const { words, rules } = reader;
  const start = reader.behind(1, ...MODIFIERS);
  if (words[start] === "TABLE") createTable(reader, subject, start);
  else if (rules.isMysql && /^(?:FULLTEXT|SPATIAL)$/.test(words[start] ?? "")) {
    const name = reader.name(words.indexOf("ON") + 1);
    if (name) {
      lintCopies(subject, name, subject.schema.table(name), [["ADD", ...words.slice(start)]]);
    }
  } else if (rules.locksForIndex) createIndex(reader, reader.behind(start, "UNIQUE"));
}

function createTable(reader: Reader, { schema }: Subject, start: number): void {
  const { words } = reader;
  const name = reader.name(reader.behind(start + 1, "IF", "NOT", "EXISTS"));
  if (!name) return;
  const isTemporary = words.slice(0, start).some((word) => /^TEMP(?:ORARY)?$/.test(word));
  const made = isTemporary ? { name: name.name, schema: schema.temporary } : name;
  if (words[start + 1] === "IF" && schema.isThere(made)) return;
  if (words[1] === "OR") reportDrop(reader, name, schema.table(name));
  schema.make(made);
  schema.fill(made, reader.sources(name.next));
}

function createIndex(reader: Reader, at: number): void {
  const { words } = reader;
  if (words[at] !== "INDEX" || words[at + 1] === "CONCURRENTLY") return;
  const on = words.indexOf("ON", at);
  const name = on < 0 || words[on + 1] === "ONLY" ? undefined : reader.name(on + 1);
  const concurrently = "  CREATE INDEX CONCURRENTLY …";
  if (name) reader.of(name, 0)("require-concurrent-index-creation", { concurrently });
}

function drop(reader: Reader, { schema, report }: Subject): void {
  const { words, rules } = reader;
  const [, what = ""] = words;
  if (what === "DATABASE" || what === "SCHEMA" && rules.isMysql) {
    const name = reader.name(reader.behind(2, "IF", "EXISTS"));
    report(0, "drop-database", { database: name?.text ?? "" });
  }
  if (!/^TABLES?$/.test(what)) return;
  const names = reader.names(reader.behind(2, "IF", "EXISTS"));
  for (const name of names) reportDrop(reader, name, schema.drop(name));
  // The name is what keeps it from being read.
  if (names.length === 0) report(0, "drop-table: unknown name", {});
}

function reportDrop(reader: Reader, name: NameAt, table: Table): void {
  const old = name.text.replace(/[`"\]]?$/, "_old$&");
  reader.of(name, name.start, table)("drop-table", { old, also: "" });
}

function lintEveryRow(verb: "update" | "delete", reader: Reader, at: number): void {
  const { parts, rules, subject: { rest } } = reader;
  if (isLimited(parts.slice(at), rest, ["WHERE", "LIMIT", "JOIN", "USING", "FROM"])) return;
  const name = reader.name(reader.behind(at, "ONLY"));
  if (!name) return;
  // Several tables, which a join may limit.
  if (verb === "update" && listFrom(parts, at)[0]?.every(({ word }) => word !== "SET")) return;
  const safeWay = rules.isMysql ? ["Safe way:", ...allInBatches(verb, name.text)] : [];
  reader.of(name, 0)(`${verb}-without-where`, { safeWay });
}

function renameTable(reader: Reader, from: NameAt, to: NameAt, at: number): void {
  const { schema, source } = reader.subject;
  const table = schema.rename(from, { name: to.name });
  const values = { renamed: to.text, statement: source(0), unless: "", place: "with the old name" };
  reader.of(from, at, table)("renaming-table", values);
}

function alterTable(reader: Reader, name: NameAt): void {
  const { rules, parts, subject } = reader;
  const table = subject.schema.table(name);
  const actions = listFrom(parts, name.next);
  for (const action of actions) {
    const [first] = action;
    if (first === undefined) continue;
    const words = wordsIn(action);
    const position = parts.indexOf(first);
    const column = reader.name(reader.behind(position + 1, "COLUMN", "IF", "EXISTS"));
    ACTIONS[words[0] ?? ""]?.({
      ...{ reader, name, words, position, column, at: first.start },
      report: reader.of(name, first.start, table),
    });
  }
  // ONLINE is LOCK=NONE of MariaDB.
  if (rules.isMysql && reader.words[1] !== "ONLINE") {
    lintCopies(subject, name, table, actions.map(wordsIn));
  }
}

interface Action {
  readonly reader: Reader;
  readonly name: NameAt;
  readonly words: readonly string[];
  readonly position: number;
  readonly at: number;
  readonly column: NameAt | undefined;
  readonly report: ReportTable;
}

const ACTIONS: Readonly<Record<string, (action: Action) => void>> = {
  DROP: (action) => {
    const { words: [, what = ""], column, report } = action;
    if (what === "PARTITION") dropPartition(action);
    const nullable = "make it nullable where it is NOT NULL without a DEFAULT, then ";
    if (!NO_COLUMNS.has(what) && column) report("drop-column", { column: column.text, nullable });
  },
  TRUNCATE: (action) => {
    if (action.words[1] === "PARTITION") dropPartition(action);
  },
  // MySQL deletes the file with the rows, and gives those of the partition to the other table.
  DISCARD: dropPartition,
  EXCHANGE: ({ reader, position, report }) =>
    report("hiding-rows", { partition: reader.parts[position + 2]?.text ?? "" }),
  RENAME: (action) => {
    const { reader, name, words: [, second = ""], position, at } = action;
    if (/^(?:INDEX|KEY|CONSTRAINT)$/.test(second)) return;
    const isTable = /^(?:TO|AS)$/.test(second) ||
      (reader.rules.isMysql && second !== "COLUMN");
    const to = reader.name(reader.behind(position + 1, second === "TO" ? "TO" : "AS"));
    if (!isTable) renameColumn(action);
    else if (to) renameTable(reader, name, to, at);
  },
  CHANGE: (action) => {
    const { reader, column } = action;
    const to = column && reader.name(column.next);
    if (to?.name !== column?.name) renameColumn(action);
  },
};

const NO_COLUMNS = new Set(
  "CONSTRAINT INDEX KEY PRIMARY FOREIGN CHECK PARTITION SYSTEM DEFAULT PERIOD".split(" "),
);

function dropPartition({ words, report }: Action): void {
  const what = words.includes("PARTITION") ? "the partition of " : "";
  report("truncate-table", { what, more: "" });
}

function renameColumn({ column, report }: Action): void {
  if (column) report("renaming-column: words", { column: column.text });
}
