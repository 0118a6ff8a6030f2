import { type NameAt, splitWords, type Word } from "../../syntax/names.ts";
import type { Statement } from "../../syntax/grammar.ts";
import { identifier, stringLiteral } from "../../files/quoting.ts";
import type { SqlMigration, Table } from "../../types.ts";
import { lowerNameAfter, pragmaOf, SQLITE } from "../sqlite/dialect.ts";

/**
 * Why a file cannot run that drops a table and makes it again: D1 enforces foreign keys whatever `PRAGMA foreign_keys` says,
 * so that the drop changes the rows that refer to the table with an action (`ON DELETE CASCADE`). Nothing if there are none.
 */
export async function refuseRebuild(
  { statements }: SqlMigration,
  ask: (sql: string) => Promise<Table>,
): Promise<string | undefined> {
  const rebuilt = rebuiltTables(statements);
  if (rebuilt.size === 0) return undefined;
  const { rows } = await ask(referrersOf([...rebuilt.keys()]));
  for (const { child, field, parent, action } of rows) {
    if (rebuilt.get(`${parent}`.toLowerCase())?.has(`${child}`.toLowerCase())) continue;
    const counted = `SELECT count(*) AS number FROM main.${identifier(`${child}`)} ` +
      `WHERE ${identifier(`${field}`)} IS NOT NULL`;
    const number = Number((await ask(counted)).rows[0]?.number);
    if (number === 0) continue;
    const change = action === "CASCADE" ? "delete" : "change";
    return `D1 always enforces foreign keys, PRAGMA foreign_keys has no effect there, and DROP TABLE '${parent}' would ` +
      `${change} ${
        number === 1 ? "1 row" : `${number} rows`
      } of '${child}' (ON DELETE ${action}): change the table ` +
      `without dropping it, or copy the rows of '${child}' into another table and DELETE FROM ${child} before the drop, ` +
      "and insert them again behind it";
  }
}

/**
 * Tables that are dropped and made again, or dropped while foreign keys should be off, as the database has them, and the
 * tables whose rows the file has deleted itself before that, or which it has dropped.
 */
function rebuiltTables(statements: readonly Statement[]): Map<string, ReadonlySet<string>> {
  const dropped = new Map<string, ReadonlySet<string>>();
  const [made, emptied] = [new Set<string>(), new Set<string>()];
  /** The names that renamed tables had before the file. */
  const before = new Map<string, string>();
  const note: Readonly<Record<string, (table: NameAt, parts: readonly Word[]) => void>> = {
    CREATE: ({ name }) => made.add(name),
    DROP({ name }) {
      dropped.set(before.get(name) ?? name, new Set(emptied));
      emptied.add(name);
    },
    DELETE: ({ name, next }, parts) => next === parts.length && emptied.add(name),
    INSERT: ({ name }) => emptied.delete(name),
    ALTER({ name, next }, parts) {
      const renamed = lowerNameAfter(parts.slice(next), "RENAME", "TO");
      if (!renamed) return;
      made.add(renamed.name);
      emptied.delete(renamed.name);
      before.set(renamed.name, before.get(name) ?? name);
    },
  };
  for (const { text, words: [verb = ""] } of statements) {
    if (!Object.hasOwn(note, verb)) continue;
    // A statement of rows may be long.
    const parts = splitWords(text.slice(0, 1_000), SQLITE);
    const table = tableAfter(parts, verb, BEHIND[verb] ?? "TABLE");
    if (table) note[verb]!(table, parts);
  }
  if (!statements.some((statement) => pragmaOf(statement) === "foreign_keys")) {
    for (const name of dropped.keys()) if (!made.has(name)) dropped.delete(name);
  }
  return dropped;
}

const BEHIND: Readonly<Record<string, string>> = { DELETE: "FROM", INSERT: "INTO" };
const CONDITIONS = [["IF", "NOT", "EXISTS"], ["IF", "EXISTS"], []];

function tableAfter(parts: readonly Word[], ...words: readonly string[]): NameAt | undefined {
  for (const condition of CONDITIONS) {
    const found = lowerNameAfter(parts, ...words, ...condition);
    if (found) return found;
  }
}

/** The columns whose values an action of a foreign key changes when one of these tables is dropped. */
function referrersOf(tables: readonly string[]): string {
  return 'SELECT m.name AS child, f."from" AS field, f."table" AS parent, f.on_delete AS action ' +
    "FROM main.sqlite_master m JOIN pragma_foreign_key_list(m.name) f " +
    // D1 refuses to describe its own tables.
    "WHERE m.type = 'table' AND m.name NOT GLOB '_cf_*' AND f.on_delete NOT IN ('NO ACTION', 'RESTRICT') " +
    `AND lower(f."table") IN (${tables.map(stringLiteral).join(", ")}) ` +
    'AND lower(m.name) <> lower(f."table") ORDER BY 1, 2';
}
