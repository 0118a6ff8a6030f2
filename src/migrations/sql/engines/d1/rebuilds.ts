import { type NameAt, splitWords } from "../../syntax/names.ts";
import type { Statement } from "../../syntax/grammar.ts";
import { identifier, stringLiteral } from "../../files/quoting.ts";
import type { SqlMigration, Table } from "../../types.ts";
import { foreignKeySwitches, lowerNameAfter, SQLITE } from "../sqlite/dialect.ts";

/**
 * Why a file cannot run that drops a table and makes it again: D1 enforces foreign keys whatever `PRAGMA foreign_keys` says,
 * so that the drop changes the rows that refer to the table with an action (`ON DELETE CASCADE`). Nothing if there are none.
 */
export async function refuseRebuild(
  { statements }: SqlMigration,
  ask: (sql: string) => Promise<Table>,
): Promise<string | undefined> {
  const { dropped, emptied } = rebuiltTables(statements);
  if (dropped.size === 0) return undefined;
  const { rows } = await ask(referrersOf([...dropped]));
  for (const { child, field, parent, action } of rows) {
    if (emptied.has(`${child}`.toLowerCase())) continue;
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

interface Rebuilt {
  /** Tables that are dropped and made again, or dropped while foreign keys should be off, as the database has them. */
  readonly dropped: ReadonlySet<string>;
  /** Tables whose rows the file deletes itself before that. */
  readonly emptied: ReadonlySet<string>;
}

function rebuiltTables(statements: readonly Statement[]): Rebuilt {
  const [dropped, made, emptied] = [new Set<string>(), new Set<string>(), new Set<string>()];
  /** What a table is called that the file has renamed, by its name before. */
  const before = new Map<string, string>();
  for (const { text, words: [verb = ""] } of statements) {
    if (!["ALTER", "CREATE", "DROP", "DELETE", "INSERT"].includes(verb)) continue;
    // A statement of rows may be long.
    const parts = splitWords(text.slice(0, 1_000), SQLITE);
    const after = (...words: string[]) =>
      lowerNameAfter(parts, ...words, "IF", "NOT", "EXISTS") ??
        lowerNameAfter(parts, ...words, "IF", "EXISTS") ?? lowerNameAfter(parts, ...words);
    const table = after(verb, VERBS[verb] ?? "TABLE");
    if (!table) continue;
    if (verb === "DELETE" && isWhole(table, parts.length)) emptied.add(table.name);
    if (verb === "INSERT") emptied.delete(table.name);
    if (verb === "CREATE") made.add(table.name);
    if (verb === "DROP") dropped.add(before.get(table.name) ?? table.name);
    const renamed = verb === "ALTER" && lowerNameAfter(parts.slice(table.next), "RENAME", "TO");
    if (!renamed) continue;
    made.add(renamed.name);
    before.set(renamed.name, before.get(table.name) ?? table.name);
  }
  const isOff = foreignKeySwitches(statements).length > 0;
  return { dropped: isOff ? dropped : dropped.intersection(made), emptied };
}

const VERBS: Readonly<Record<string, string>> = { DELETE: "FROM", INSERT: "INTO" };

function isWhole({ next }: NameAt, length: number): boolean {
  return next === length;
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
