import { nameAt, splitWords, unquoted, type Word } from "../../syntax/names.ts";
import type { Statement } from "../../syntax/grammar.ts";
import { errorOf } from "../../../../text/mod.ts";
import { identifier } from "../../files/quoting.ts";
import type { SqlMigration, Table } from "../../types.ts";
import { SQLITE } from "../sqlite/dialect.ts";

/**
 * Why a file cannot run that drops a table: D1 enforces foreign keys whatever `PRAGMA foreign_keys` says, so that the drop
 * deletes or changes the rows that refer to the table with an action (`ON DELETE CASCADE`). Nothing if there are none.
 * The database is asked before the file: rows that an application adds in between are not seen.
 */
export async function refuseRebuild(
  { statements }: SqlMigration,
  ask: (sql: string) => Promise<Table>,
): Promise<string | undefined> {
  if (!statements.some(({ words }) => /^DROP TABLE\b/.test(words.join(" ")))) return undefined;
  const { rows } = await ask(REFERENCES);
  const references = rows.map(({ child, field, parent, action }) => ({
    ...{ child: lowerCase(`${child}`), parent: lowerCase(`${parent}`) },
    ...{ field: `${field}`, action: `${action}` },
  }));
  for (const { sql, child, action, source, field } of new Rehearsal(references).play(statements)) {
    const number = source === NEW ? undefined : await rowsIn(source, field, ask);
    if (number === 0) continue;
    const what = number === undefined ? "rows" : number === 1 ? "1 row" : `${number} rows`;
    const loss = `${action === "CASCADE" ? "delete" : "change"} ${what} of '${child}'`;
    // A reference without a column in the database is made by the file.
    const itself = field === undefined && source !== child
      ? `let '${child}' refer to itself where it takes the place of that table, `
      : "";
    const emptied = `DELETE FROM ${identifier(child)}`;
    return "D1 always enforces foreign keys, PRAGMA foreign_keys has no effect there, and " +
      `${sql} would ${loss} (ON DELETE ${action}): change the table without dropping it, ${itself}or copy the rows of ` +
      `'${child}' into another table and ${emptied} before that, and insert them again behind it`;
  }
}

/** How many rows a table has, or has with a value in a column; `undefined` where a copy is of something else than a table. */
async function rowsIn(
  table: string,
  column: string | undefined,
  ask: (sql: string) => Promise<Table>,
): Promise<number | undefined> {
  const where = column === undefined ? "" : ` WHERE ${identifier(column)} IS NOT NULL`;
  const sql = `SELECT count(*) AS number FROM main.${identifier(table)}${where}`;
  const { rows: [row] } = await ask(sql).catch((error) => {
    if (/no such table/.test(errorOf(error).message)) return { rows: [] };
    throw error;
  });
  return row && Number(row.number);
}

/** The columns whose values an action of a foreign key changes. D1 refuses to describe its own tables. */
const REFERENCES =
  'SELECT m.name AS child, f."from" AS field, f."table" AS parent, f.on_delete AS action ' +
  "FROM main.sqlite_master m JOIN pragma_foreign_key_list(m.name) f " +
  "WHERE m.type = 'table' AND m.name NOT GLOB '_cf_*' AND f.on_delete NOT IN ('NO ACTION', 'RESTRICT') " +
  "ORDER BY 1, 2";

interface Reference {
  child: string;
  parent: string;
  /** Its column in the database; absent for a reference that the file makes. */
  readonly field?: string;
  readonly action: string;
}

interface Loss extends Reference {
  /** The statement that would change rows, without what follows the name. */
  readonly sql: string;
  /** The table that has these rows before the file, or {@linkcode NEW}. */
  readonly source: string;
}

const FOLLOWED = ["ALTER", "CREATE", "DELETE", "DROP", "INSERT", "REPLACE", "WITH"];

/** Rows that the file itself makes. */
const NEW = "\0new";

/** Follows the tables of a file, by their names in lower case, as far as it takes to know which rows a drop would change. */
class Rehearsal {
  /** The table whose rows a table has, by that table: itself unless it is here; `undefined` where it is empty. */
  readonly #rows = new Map<string, string | undefined>();
  readonly #losses: Loss[] = [];

  constructor(private references: Reference[]) {}

  play(statements: readonly Statement[]): readonly Loss[] {
    for (const { text, words: [verb = ""] } of statements) {
      if (!FOLLOWED.includes(verb)) continue;
      // A statement of rows may be long.
      const most = /^(?:INSERT|REPLACE)$/.test(verb) ? 5_000 : text.length;
      const parts = splitWords(text.slice(0, most), SQLITE);
      const into = parts.findIndex(({ word }) => word === "INTO") + 1;
      if (verb === "ALTER") this.#alter(parts);
      else if (verb === "CREATE") this.#create(parts);
      else if (verb === "DROP") this.#drop(parts);
      else if (verb === "DELETE") this.#delete(parts);
      else if (into > 0) this.#fill(tableAt(parts, into)?.name, parts);
    }
    return this.#losses;
  }

  #create(parts: readonly Word[]): void {
    const table = tableAt(parts, behind(parts, 1, "TABLE"));
    if (parts[1]?.word !== "TABLE" || !table) return;
    const { name } = table;
    if (parts[2]?.word !== "IF") this.#rows.set(name, undefined);
    if (parts[table.next]?.word === "AS") this.#fill(name, parts);
    this.#refer(name, parts);
  }

  #refer(child: string, parts: readonly Word[]): void {
    for (const [at, { word }] of parts.entries()) {
      const parent = word === "REFERENCES" ? tableAt(parts, at + 1) : undefined;
      if (!parent) continue;
      const rest = parts.slice(parent.next).map(({ word }) => word).join(" ");
      const [, action] =
        /^(?:\([^)]*\))?[^,)]*?\bON DELETE (CASCADE|SET NULL|SET DEFAULT)\b/.exec(rest) ?? [];
      if (action !== undefined) this.references.push({ child, parent: parent.name, action });
    }
  }

  #alter(parts: readonly Word[]): void {
    const table = tableAt(parts, behind(parts, 1, "TABLE"));
    if (!table) return;
    const { name, next } = table;
    const [verb, object] = parts.slice(next).map(({ word }) => word);
    if (verb === "ADD") this.#refer(name, parts);
    const dropped = verb === "DROP" &&
      tableAt(parts, object === "COLUMN" ? next + 2 : next + 1)?.name;
    this.references = this.references.filter(({ child, field }) =>
      child !== name || field === undefined || lowerCase(field) !== dropped
    );
    const to = verb === "RENAME" && object === "TO" && tableAt(parts, next + 2)?.name;
    if (!to) return;
    this.#rows.set(to, this.#rowsOf(name));
    for (const one of this.references) {
      if (one.child === name) one.child = to;
      if (one.parent === name) one.parent = to;
    }
  }

  #drop(parts: readonly Word[]): void {
    const table = tableAt(parts, behind(parts, 1, "TABLE"));
    if (parts[1]?.word !== "TABLE" || !table) return;
    this.#lose(`DROP TABLE ${table.text}`, table.name);
    this.references = this.references.filter(({ child }) => child !== table.name);
  }

  #delete(parts: readonly Word[]): void {
    const table = tableAt(parts, 2);
    if (!table || table.next < parts.length) return;
    // It makes room for a drop; any other deletes what its file says.
    if (this.references.some(({ child }) => child === table.name)) {
      this.#lose(`DELETE FROM ${table.text}`, table.name);
    }
    this.#rows.set(table.name, undefined);
  }

  #fill(table: string | undefined, parts: readonly Word[]): void {
    if (table === undefined || this.#rowsOf(table) !== undefined) return;
    const from = parts.findIndex(({ word }) => word === "FROM") + 1;
    const source = from > 0 ? tableAt(parts, from)?.name : undefined;
    this.#rows.set(table, source === undefined ? NEW : this.#rowsOf(source));
  }

  #lose(sql: string, table: string): void {
    for (const reference of this.references) {
      const { child, parent, field } = reference;
      const source = this.#rowsOf(child);
      if (parent !== table || child === table || source === undefined) continue;
      // The column is not known where the file has copied the rows.
      const column = this.#rows.has(child) ? undefined : field;
      this.#losses.push({ ...reference, field: column, sql, source });
    }
  }

  #rowsOf(table: string): string | undefined {
    return this.#rows.has(table) ? this.#rows.get(table) : table;
  }
}

/** SQLite folds only the letters of ASCII. */
function lowerCase(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The position behind a keyword and the condition that may follow it. */
function behind(parts: readonly Word[], at: number, keyword: string): number {
  let next = parts[at]?.word === keyword ? at + 1 : at;
  while (["IF", "NOT", "EXISTS"].includes(parts[next]?.word ?? "")) next++;
  return next;
}

/** SQLite takes a name in single quotes, too. */
function tableAt(parts: readonly Word[], at: number) {
  const last = parts[at + 1]?.text === "." ? at + 2 : at;
  const { text = "" } = parts[last] ?? {};
  const found = text.startsWith("'")
    ? { name: unquoted(text), text, next: last + 1 }
    : nameAt(parts, at);
  return found && { ...found, name: lowerCase(found.name) };
}
