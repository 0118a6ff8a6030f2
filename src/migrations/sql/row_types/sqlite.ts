import type { SqliteConnection } from "../engines/sqlite/driver.ts";
import type { Catalog, ColumnInfo } from "./catalog.ts";

type Row = Readonly<Record<string, unknown>>;

/** What SQLite makes itself, such as the tables behind a virtual one, is left out. */
export function readSqlite(connection: Pick<SqliteConnection, "all">): Catalog {
  const { rows } = connection.all({ sql: COLUMNS, values: [] });
  const tables = Map.groupBy(rows, ({ relation }) => `${relation}`);
  return {
    enums: [],
    tables: [...tables].map(([name, columns]) => ({
      name,
      key: name,
      isView: columns[0]!.kind === "view",
      comment: "",
      columns: columns.map((column) => columnOf(column, isRowId(column, columns))),
    })),
  };
}

function columnOf(row: Row, isRowId: boolean): ColumnInfo {
  const select = typeOf(`${row.type}`);
  return {
    name: `${row.name}`,
    select,
    // 2 is a virtual generated column, 3 a stored one.
    ...(Number(row.hidden) < 2 && { insert: select }),
    isNullable: !isRowId && Number(row.not_null) === 0,
    hasDefault: isRowId || row.initial !== null,
    comment: "",
  };
}

/** `INTEGER PRIMARY KEY` names the row id, which is never `NULL`: https://sqlite.org/rowidtable.html */
function isRowId(column: Row, columns: readonly Row[]): boolean {
  const keys = columns.filter(({ pk }) => Number(pk) > 0);
  return keys.length === 1 && keys[0] === column && /^integer$/i.test(`${column.type}`) &&
    Number(column.without_rowid) === 0;
}

/** The kind of value that a column of this type prefers: https://sqlite.org/datatype3.html#determination_of_column_affinity */
function typeOf(declared: string): string {
  const type = declared.toUpperCase();
  if (/INT/.test(type)) return "number";
  if (/CHAR|CLOB|TEXT/.test(type)) return "string";
  if (/BLOB/.test(type)) return "Uint8Array";
  if (type === "" || type === "ANY") return "unknown";
  if (/REAL|FLOA|DOUB|NUMERIC|DECIMAL|BOOL/.test(type)) return "number";
  // Texts that look like numbers become numbers, others such as dates stay.
  return "number | string";
}

const COLUMNS =
  "SELECT l.name AS relation, l.type AS kind, l.wr AS without_rowid, p.name AS name, p.type AS type, " +
  'p."notnull" AS not_null, p.dflt_value AS initial, p.pk AS pk, p.hidden AS hidden ' +
  "FROM pragma_table_list l JOIN pragma_table_xinfo(l.name) p " +
  "WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND p.hidden <> 1 " +
  "AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY l.name, p.cid";
