import type { SqliteConnection } from "../engines/sqlite/driver.ts";
import { TABLE } from "../journal/records.ts";

/**
 * The schema of a SQLite database, as it keeps it: statements of tables, indexes, views and triggers, each group by name.
 * What SQLite makes itself is left out, such as the tables behind a virtual one, and the history table.
 */
export function sqliteSchema(connection: SqliteConnection): string {
  const kinds = ["table", "index", "view", "trigger"];
  const { rows } = connection.all({
    sql: "SELECT s.type, s.name, s.sql FROM sqlite_schema s WHERE s.sql IS NOT NULL " +
      "AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND s.tbl_name <> ? " +
      "AND NOT EXISTS (SELECT 1 FROM pragma_table_list l " +
      "WHERE l.schema = 'main' AND l.name = s.tbl_name AND l.type = 'shadow')",
    values: [TABLE],
  });
  const found = rows.map(({ type, name, sql }) => ({
    rank: kinds.indexOf(`${type}`),
    name: `${name}`,
    sql: `${sql}`,
  }));
  found.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  return found.map(({ sql }) => `${sql};\n`).join("\n");
}

/** Whether a SQLite database has nothing in it. */
export function isEmptySqlite(connection: SqliteConnection): boolean {
  const query = { sql: "SELECT 1 FROM sqlite_schema LIMIT 1", values: [] };
  return connection.all(query).rows.length === 0;
}
