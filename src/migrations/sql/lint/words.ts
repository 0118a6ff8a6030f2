import { everyRow, NO_TRANSACTION } from "./advice.ts";
import type { Grammar } from "../syntax/grammar.ts";
import { lintCopies } from "./mysql_copies.ts";
import type { Table } from "./schema.ts";
import { isLimited, listFrom, type NameAt, nameAt, type Part } from "./statement.ts";
import type { Subject } from "./subject.ts";

/**
 * Looks at one statement by its words, where there is no grammar of the server: MySQL, MariaDB, SQLite, and what
 * PostgreSQL's refuses. Says only what is certain from them.
 */
export function lintWords(kind: Grammar["blocks"], subject: Subject): void {
  const reader = new Reader(kind, subject);
  STATEMENTS[reader.words[0] ?? ""]?.(reader);
}

/** Reads the tokens of a statement. */
class Reader {
  readonly parts: readonly Part[];
  readonly words: readonly string[];

  constructor(readonly kind: Grammar["blocks"], readonly subject: Subject) {
    // `/*!40000 DROP TABLE …`: a comment that MySQL runs.
    const [first, second] = subject.parts;
    const isComment = first?.text.endsWith("!");
    const skipped = !isComment ? 0 : /^\d+$/.test(second?.text ?? "") ? 2 : 1;
    this.parts = subject.parts.slice(skipped);
    this.words = this.parts.map(({ word, isQuoted }) => isQuoted ? "" : word);
  }

  /** Position behind these words, each of which may be missing. */
  behind(at: number, ...optional: readonly string[]): number {
    return optional.reduce((next, word) => this.words[next] === word ? next + 1 : next, at);
  }

  /** A table that is named here. */
  name(at: number): NameAt | undefined {
    const found = nameAt(this.parts, at, (name) => this.#fold(name));
    // SQLite compares names in quotes without case, too.
    return found && this.kind === "sqlite" ? { ...found, name: found.name.toLowerCase() } : found;
  }

  names(at: number): readonly NameAt[] {
    return listFrom(this.parts, at).flatMap(([first]) => {
      const found = first && this.name(this.parts.indexOf(first));
      return found ?? [];
    });
  }

  /** Facts of a table that other sessions use. */
  used(name: NameAt): Table | undefined {
    const table = this.subject.schema.table(name);
    return this.subject.schema.isNew(table) ? undefined : table;
  }

  /** MySQL compares names of tables as they are written. */
  #fold(name: string): string {
    return this.kind === "mysql" ? name : name.toLowerCase();
  }
}

const STATEMENTS: Readonly<Record<string, (reader: Reader) => void>> = {
  INSERT: (reader) => {
    const into = reader.words.indexOf("INTO");
    const name = into < 0 ? undefined : reader.name(reader.behind(into + 1, "TABLE"));
    if (name) reader.subject.schema.fill(name, sourcesOf(reader, name.next));
  },
  CREATE: create,
  DROP: drop,
  TRUNCATE: (reader) => {
    for (const name of reader.names(reader.behind(1, "TABLE", "ONLY"))) {
      const table = reader.used(name);
      if (!table) continue;
      const message = `Deletes all rows of '${name.text}'`;
      reader.subject.report(name.start, { rule: "truncate-table", message, table });
    }
  },
  UPDATE: (reader) => {
    // OR IGNORE of SQLite.
    const at = reader.words[1] === "OR" ? 3 : 1;
    everyRowOf("update", reader, reader.behind(at, "LOW_PRIORITY", "IGNORE"));
  },
  DELETE: (reader) => {
    const at = reader.behind(1, "LOW_PRIORITY", "QUICK", "IGNORE");
    if (reader.words[at] === "FROM") everyRowOf("delete", reader, at + 1);
  },
  RENAME: (reader) => {
    if (!/^TABLES?$/.test(reader.words[1] ?? "")) return;
    for (const item of listFrom(reader.parts, 2)) {
      const [first] = item;
      const from = first && reader.name(reader.parts.indexOf(first));
      const to = from && reader.words[from.next] === "TO" ? reader.name(from.next + 1) : undefined;
      if (from && to) renameTable(reader, from, to, from.start);
    }
  },
  ALTER: (reader) => {
    const at = reader.behind(1, "ONLINE", "IGNORE");
    if (reader.words[at] === "TABLE") {
      alterTable(reader, reader.behind(at + 1, "IF", "EXISTS", "ONLY"));
    }
  },
  OPTIMIZE: (reader) => {
    if (reader.kind !== "mysql") return;
    for (const name of reader.names(reader.behind(1, "LOCAL", "NO_WRITE_TO_BINLOG", "TABLE"))) {
      const table = reader.used(name);
      if (!table) continue;
      const message = `OPTIMIZE TABLE rewrites table '${name.text}'`;
      reader.subject.report(0, { rule: "rewriting-table", message, table });
    }
  },
};

/** Between `CREATE` and `TABLE`. */
const MODIFIERS = ["OR", "REPLACE", "GLOBAL", "LOCAL", "TEMP", "TEMPORARY", "UNLOGGED"];

function create(reader: Reader): void {
  const { words, kind, subject } = reader;
  const start = reader.behind(1, ...MODIFIERS);
  if (words[start] === "TABLE") {
    const name = reader.name(reader.behind(start + 1, "IF", "NOT", "EXISTS"));
    if (!name) return;
    const isTemporary = words.slice(0, start).some((word) => /^TEMP(?:ORARY)?$/.test(word));
    const made = isTemporary ? { name: name.name, schema: subject.schema.temporary } : name;
    if (words[start + 1] === "IF" && subject.schema.isThere(made)) return;
    const sources = sourcesOf(reader, name.next);
    const isReplacing = words[1] === "OR";
    if (isReplacing && reader.used(name)) reportDrop(reader, name, subject.schema.table(name));
    subject.schema.make(made);
    subject.schema.fill(made, sources);
    return;
  }
  if (kind === "mysql" && /^(?:FULLTEXT|SPATIAL)$/.test(words[start] ?? "")) {
    const on = reader.name(words.indexOf("ON") + 1);
    const table = on && reader.used(on);
    const action = words.slice(start).join(" ");
    if (on && table) lintCopies(subject, on, table, [["ADD", action]]);
    return;
  }
  const index = reader.behind(start, "UNIQUE");
  if (kind !== "postgresql" || words[index] !== "INDEX" || words[index + 1] === "CONCURRENTLY") {
    return;
  }
  const on = words.indexOf("ON", index);
  const name = on < 0 || words[on + 1] === "ONLY" ? undefined : reader.name(on + 1);
  const table = name && reader.used(name);
  if (!name || !table) return;
  subject.report(0, {
    rule: "require-concurrent-index-creation",
    message: `Blocks writes to '${name.text}' while the index is built`,
    table,
    advice: [NO_TRANSACTION, "  CREATE INDEX CONCURRENTLY …"],
  });
}

function drop(reader: Reader): void {
  const { words, subject, kind } = reader;
  const [, what = ""] = words;
  const isDatabase = what === "DATABASE" || (what === "SCHEMA" && kind === "mysql");
  if (isDatabase) {
    const name = reader.name(reader.behind(2, "IF", "EXISTS"));
    const message = `Deletes the whole database '${name?.text ?? ""}'`;
    subject.report(0, { rule: "drop-database", message });
  }
  if (!/^TABLES?$/.test(what)) return;
  const names = reader.names(reader.behind(2, "IF", "EXISTS"));
  for (const name of names) {
    const table = reader.used(name);
    subject.schema.drop(name);
    if (table) reportDrop(reader, name, table);
  }
  if (names.length > 0) return;
  // The name is what keeps it from being read.
  subject.report(0, { rule: "drop-table", message: "Deletes the data of a table" });
}

function reportDrop({ subject }: Reader, name: NameAt, table: Table): void {
  subject.report(name.start, {
    rule: "drop-table",
    message: `Deletes the data of '${name.text}', and an application that still uses it fails`,
    table,
    advice: [
      "Safe way: first a release that does not use it, then this file. Before that, rename it for a while:",
      `  ALTER TABLE ${name.text} RENAME TO ${besides(name, "_old")};`,
    ],
  });
}

/** Tables that a query reads. */
function sourcesOf(reader: Reader, from: number): readonly NameAt[] {
  return reader.words.flatMap((word, at) => {
    const isSource = at >= from && /^(?:FROM|JOIN)$/.test(word);
    return isSource ? reader.name(at + 1) ?? [] : [];
  });
}

/** `UPDATE` and `DELETE` that nothing limits. */
function everyRowOf(verb: "update" | "delete", reader: Reader, at: number): void {
  const { parts, kind } = reader;
  const limits = ["WHERE", "LIMIT", "JOIN", "USING", "FROM"];
  if (isLimited(parts.slice(at), reader.subject.rest, limits)) return;
  const name = reader.name(reader.behind(at, "ONLY"));
  const table = name && reader.used(name);
  // Several tables, which a join may limit.
  if (
    !table || (verb === "update" && listFrom(parts, at)[0]?.every(({ word }) => word !== "SET"))
  ) {
    return;
  }
  const advice = kind === "mysql"
    ? [
      "Safe way: repeat until no row is left:",
      verb === "update"
        ? `  UPDATE ${name.text} SET … WHERE … LIMIT 10000;`
        : `  DELETE FROM ${name.text} LIMIT 10000;`,
    ]
    : [];
  reader.subject.report(0, { ...everyRow(verb, name.text), table, advice });
}

function renameTable(reader: Reader, from: NameAt, to: NameAt, at: number): void {
  const table = reader.used(from);
  reader.subject.schema.rename(from, { name: to.name });
  if (!table) return;
  reader.subject.report(at, {
    rule: "renaming-table",
    message: `An application that still uses '${from.text}' fails`,
    table,
    advice: [
      "Safe way: a view with the old name, until no release uses it:",
      `  CREATE VIEW ${from.text} AS SELECT * FROM ${to.text};`,
    ],
  });
}

function alterTable(reader: Reader, at: number): void {
  const name = reader.name(at);
  const table = name && reader.used(name);
  if (!name) return;
  const actions = listFrom(reader.parts, name.next);
  const words = actions.map((parts) => parts.map(({ word, isQuoted }) => isQuoted ? "" : word));
  for (const [index, parts] of actions.entries()) {
    const [first] = parts;
    if (first === undefined) continue;
    const position = reader.parts.indexOf(first);
    lintAction(reader, { name, table, position, words: words[index] ?? [] });
  }
  // ONLINE is LOCK=NONE of MariaDB.
  if (reader.kind === "mysql" && table && reader.words[1] !== "ONLINE") {
    lintCopies(reader.subject, name, table, words);
  }
}

/** Behind `DROP`, what is no column. */
const NO_COLUMNS = new Set([
  ...["CONSTRAINT", "INDEX", "KEY", "PRIMARY", "FOREIGN", "CHECK", "PARTITION", "SYSTEM"],
  ...["DEFAULT", "PERIOD"],
]);

function lintAction(
  reader: Reader,
  { name, table, position, words }: {
    readonly name: NameAt;
    readonly table: Table | undefined;
    readonly position: number;
    readonly words: readonly string[];
  },
): void {
  const { subject } = reader;
  const { start } = reader.parts[position]!;
  const [verb = "", second = ""] = words;
  const isColumn = second === "COLUMN";
  const column = reader.name(reader.behind(position + 1, "COLUMN", "IF", "EXISTS"));
  if (verb === "DROP" && !NO_COLUMNS.has(second) && column && table) {
    subject.report(start, {
      rule: "drop-column",
      message:
        `Deletes the data of '${column.text}' in '${name.text}', and an application that still uses the column fails`,
      table,
      advice: ["Safe way: first a release that does not use the column, then this file"],
    });
  }
  if (/^(?:DROP|TRUNCATE)$/.test(verb) && second === "PARTITION" && table) {
    const message = `Deletes all rows of the partition of '${name.text}'`;
    subject.report(start, { rule: "truncate-table", message, table });
  }
  if (verb === "RENAME" && !/^(?:INDEX|KEY|CONSTRAINT)$/.test(second)) {
    const isTable = second === "TO" || second === "AS" || (reader.kind === "mysql" && !isColumn);
    const to = reader.name(reader.behind(position + 1, second === "TO" ? "TO" : "AS"));
    if (isTable && to) renameTable(reader, name, to, start);
    else if (!isTable && column && table) renameColumn(reader, name, table, column, start);
  }
  if (verb === "CHANGE" && column && table) {
    const to = reader.name(column.next);
    if (to?.name !== column.name) renameColumn(reader, name, table, column, start);
  }
}

function renameColumn(
  { subject }: Reader,
  name: NameAt,
  table: Table,
  column: NameAt,
  at: number,
): void {
  subject.report(at, {
    rule: "renaming-column",
    message: `An application that still uses '${column.text}' of '${name.text}' fails`,
    table,
    advice: [
      "Safe way: a second column that the application writes too, until no release uses the old one",
    ],
  });
}

function besides({ text }: NameAt, suffix: string): string {
  const quote = /[`"\]]$/.exec(text)?.[0] ?? "";
  return `${quote ? text.slice(0, -1) : text}${suffix}${quote}`;
}
