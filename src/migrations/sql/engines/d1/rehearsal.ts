import { identifier, stringLiteral } from "../../files/quoting.ts";
import type { Word } from "../../syntax/names.ts";
import type { Table } from "../../types.ts";
import {
  emptiedBy,
  foreignKeysIn,
  lowerCase,
  renamedTo,
  type TableAt,
  tableAt,
  tableOf,
  wordsOf,
  writtenBy,
} from "./tables.ts";

interface Child {
  /** In lower case, as all names here. */
  readonly child: string;
  readonly columns: readonly string[];
}

/** A foreign key that changes rows of its table, the child, where rows of its parent are deleted. */
interface Reference extends Child {
  readonly parent: string;
  readonly action: string;
  /** As the database has it before the files; absent where a file makes it. */
  readonly before?: Child;
}

/** Rows that a statement would change without naming them. */
export interface Check {
  /** The index of the statement in its file. */
  readonly at: number;
  /** Counts these rows directly before the statement, as `number`. */
  readonly count: string;
  /** Counts them before the files; absent where the files decide which there will be. */
  readonly before?: string;
  /** A sentence without its final period. */
  describe(rows?: number): string;
}

/** The rows that a table has are those that it had, none, others, or copies of those that these references are about. */
type Contents = undefined | "none" | "others" | readonly Reference[];

/** All tables, with their foreign keys that have an action. D1 refuses to describe its own tables. */
const REFERENCES =
  'SELECT m.name AS child, f.id, f."from" AS field, f."table" AS parent, f.on_delete AS action ' +
  "FROM main.sqlite_master m LEFT JOIN pragma_foreign_key_list(m.name) f " +
  "ON f.on_delete NOT IN ('NO ACTION', 'RESTRICT') " +
  "WHERE m.type = 'table' AND m.name NOT GLOB '_cf_*' ORDER BY 1, 2, f.seq";

/**
 * Follows the tables of files by their names, to know which foreign keys act when a table is dropped, which deletes its
 * rows, or is emptied to make room for that.
 */
export class Rehearsal {
  readonly #tables = new Set<string>();
  readonly #rows = new Map<string, Contents>();
  #references: readonly Reference[] = [];
  #areTriggersChanged = false;
  /** The tables that the file has renamed. */
  #renamed = new Set<string>();

  static async of(ask: (sql: string) => Promise<Table>): Promise<Rehearsal> {
    const rehearsal = new Rehearsal();
    const { rows } = await ask(REFERENCES);
    const keys = Map.groupBy(rows, ({ child, id }) => `${id} ${child}`);
    rehearsal.#references = [...keys.values()].flatMap((fields) => {
      const [{ child: name, id, parent, action } = {}] = fields;
      const child = lowerCase(name);
      rehearsal.#tables.add(child);
      const before = { child, columns: fields.map(({ field }) => lowerCase(field)) };
      const reference = { ...before, parent: lowerCase(parent), action: `${action}`, before };
      return id === null ? [] : [reference];
    });
    return rehearsal;
  }

  /** The checks of the next file. */
  play(statements: readonly string[]): readonly Check[] {
    const all = statements.map(wordsOf);
    const drops = all.map((parts) => tableOf("DROP", parts));
    this.#renamed = new Set();
    return all.flatMap((parts, at) => {
      const checks = drops[at] && !drops[at - 1]
        ? this.#ofDrops(at, drops, all)
        : this.#ofDeletion(at, emptiedBy(parts), drops);
      this.#follow(parts);
      return checks;
    });
  }

  /** Tables that are dropped one after another take the rows between them along. */
  #ofDrops(
    at: number,
    drops: readonly (TableAt | undefined)[],
    all: readonly (readonly Word[])[],
  ): readonly Check[] {
    const end = drops.findIndex((drop, index) => index > at && !drop);
    const together = drops.slice(at, end < 0 ? undefined : end).flatMap((drop) => drop ?? []);
    const made = all.slice(at).map((parts) => renamedTo(parts) ?? tableOf("CREATE", parts)?.name);
    return together.flatMap(({ name, text }, index) =>
      this.#referencesTo(name).flatMap((reference): Check | readonly Check[] => {
        const { child, action } = reference;
        const place = together.findIndex((drop) => drop.name === child);
        const sql = `DROP TABLE ${text}`;
        if (place < 0) return this.#loss(at, reference, sql, made.includes(name));
        if (place < index) return [];
        const describe = (rows: string) =>
          `${sql} would fire the triggers of '${child}' for ${rows} (ON DELETE ${action}): drop these triggers ` +
          "before that, and make them again behind it";
        return this.#check(at, reference, describe, true);
      })
    );
  }

  /** An emptied table makes room for a drop; any other deletion does what its file says. */
  #ofDeletion(
    at: number,
    emptied: TableAt | undefined,
    drops: readonly (TableAt | undefined)[],
  ): readonly Check[] {
    const isForDrop = this.#references.some(({ child, parent }) =>
      child === emptied?.name && drops.slice(at).some((drop) => drop?.name === parent)
    );
    if (!emptied || !isForDrop) return [];
    return this.#referencesTo(emptied.name).filter(({ child }) => child !== emptied.name)
      .map((reference) => this.#loss(at, reference, `DELETE FROM ${emptied.text}`, true));
  }

  #loss(at: number, reference: Reference, sql: string, isMadeAgain: boolean): Check {
    const { child, parent, action } = reference;
    const rows = this.#rows.get(child);
    const isCopy = typeof rows === "object" && rows.some((one) => one.child === parent);
    const itself = isCopy ? `let '${child}' refer to itself where it takes its place, ` : "";
    const isRenamed = this.#renamed.has(parent);
    const way = isRenamed
      ? "rename the new table at the end instead of the old one, whose references follow it, and"
      : `change the table without dropping it, ${itself}or`;
    const advice = isMadeAgain || isRenamed
      ? `${way} copy the rows of '${child}' into another table and DELETE FROM ${
        identifier(child)
      } before that, ` +
        "and insert them again when the new table has its name"
      : `drop '${child}' first, or make it again without this reference`;
    const effect = action === "CASCADE" ? "delete" : "change";
    return this.#check(
      at,
      reference,
      (rows) =>
        `D1 always enforces foreign keys, PRAGMA foreign_keys has no effect there, and ${sql} would ${effect} ` +
        `${rows} of '${child}' (ON DELETE ${action}): ${advice}`,
    );
  }

  #check(
    at: number,
    reference: Reference,
    describe: (rows: string) => string,
    isByTriggers = false,
  ): Check {
    const count = (one: Child) => countOf(one) + (isByTriggers ? triggersOf(one.child) : "");
    const source = this.#sourceOf(reference);
    const isUnknown = !source || (isByTriggers && this.#areTriggersChanged);
    return {
      at,
      count: count(reference),
      ...(!isUnknown && { before: source === "none" ? NO_ROWS : count(source) }),
      describe: (rows) =>
        describe(rows === undefined ? "rows" : rows === 1 ? "1 row" : `${rows} rows`),
    };
  }

  /** The rows of a reference before the files; nothing where these decide which rows there are. */
  #sourceOf({ child, parent, before }: Reference): Child | "none" | undefined {
    const rows = this.#rows.get(child);
    // A column that a file adds is NULL until a statement writes to it.
    if (rows === undefined) return before ?? "none";
    if (typeof rows === "object") return rows.find((one) => one.parent === parent)?.before;
    return rows === "none" ? rows : undefined;
  }

  #referencesTo(table: string): readonly Reference[] {
    return this.#tables.has(table) ? this.#references.filter(({ parent }) => parent === table) : [];
  }

  #follow(parts: readonly Word[]): void {
    const [created, altered, dropped] = ["CREATE", "ALTER", "DROP"].map((verb) =>
      tableOf(verb, parts)
    );
    const written = writtenBy(parts);
    if (created && !this.#tables.has(created.name)) this.#create(created, parts);
    if (altered) this.#alter(altered, parts);
    if (dropped) {
      this.#tables.delete(dropped.name);
      this.#references = this.#references.filter(({ child }) => child !== dropped.name);
    }
    if (written) this.#write(written, parts);
    const [first, second] = parts;
    if (second?.word === "TRIGGER" && first?.word !== "ALTER") this.#areTriggersChanged = true;
  }

  #create({ name, next }: TableAt, parts: readonly Word[]): void {
    this.#tables.add(name);
    this.#rows.set(name, parts[next]?.word === "AS" ? "others" : "none");
    this.#refer(name, parts, next + 1);
  }

  #refer(child: string, parts: readonly Word[], from: number): void {
    const own = foreignKeysIn(parts, from).map((key) => ({ child, ...key }));
    this.#references = [...this.#references, ...own];
  }

  #alter({ name, next }: TableAt, parts: readonly Word[]): void {
    const [verb, object] = parts.slice(next).map(({ word }) => word);
    const at = object === "COLUMN" ? next + 2 : next + 1;
    const column = tableAt(parts, at)?.name ?? "";
    const to = renamedTo(parts);
    if (to !== undefined) return this.#rename(name, to);
    if (verb === "ADD") return this.#refer(name, parts, at);
    const renamed = verb === "RENAME" ? tableAt(parts, at + 2)?.name ?? column : undefined;
    this.#references = this.#references.flatMap((one) => {
      if (one.child !== name || !one.columns.includes(column)) return one;
      if (renamed === undefined) return [];
      return { ...one, columns: one.columns.map((own) => own === column ? renamed : own) };
    });
  }

  #rename(from: string, to: string): void {
    const now = (name: string) => name === from ? to : name;
    const follow = (all: readonly Reference[]) =>
      all.map((one) => ({ ...one, child: now(one.child), parent: now(one.parent) }));
    this.#tables.delete(from);
    this.#tables.add(to);
    this.#renamed.add(to);
    this.#references = follow(this.#references);
    this.#rows.set(to, this.#rows.get(from));
    for (const [name, rows] of this.#rows) {
      if (typeof rows === "object") this.#rows.set(name, follow(rows));
    }
  }

  #write({ name, verb }: TableAt & { readonly verb: string }, parts: readonly Word[]): void {
    const from = parts.findIndex(({ word }) => word === "FROM") + 1;
    const source = from > 0 ? tableAt(parts, from)?.name : undefined;
    const isWhole = !parts.some(({ word }) => /^(?:WHERE|JOIN|LIMIT|UNION)$/.test(word));
    const isCopy = verb === "INSERT" && isWhole && this.#rows.get(name) === "none" &&
      source !== undefined && this.#rows.get(source) === undefined;
    const copied = isCopy && this.#references.filter(({ child }) => child === source);
    const isDeletion = verb === "DELETE" || verb === "REPLACE" ||
      parts.some(({ word }, at) => word === "REPLACE" && parts[at - 1]?.word === "OR");
    if (isDeletion) this.#cascade(name);
    this.#rows.set(name, emptiedBy(parts) ? "none" : copied || "others");
  }

  /** Other rows of a table may take rows of its children along. */
  #cascade(table: string): void {
    for (const { child } of this.#referencesTo(table)) {
      if (this.#rows.get(child) !== undefined) continue;
      this.#rows.set(child, "others");
      this.#cascade(child);
    }
  }
}

export const NO_ROWS = "SELECT 0 AS number";

function countOf({ child, columns }: Child): string {
  const where = columns.map((column) => `${identifier(column)} IS NOT NULL`);
  return `SELECT count(*) AS number FROM main.${identifier(child)} WHERE ${where.join(" AND ")}`;
}

function triggersOf(child: string): string {
  return " AND EXISTS (SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' " +
    `AND tbl_name = ${stringLiteral(child)} COLLATE NOCASE)`;
}
