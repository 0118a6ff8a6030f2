import { DatabaseError } from "../../../migrations/sql/errors.ts";
import type { CatalogRow, ReadCatalog } from "./catalog.ts";

/** Without what SQLite makes itself, such as the tables behind a virtual one. */
export const readSqlite: ReadCatalog = async (database) => {
  const { columns, rows } = await database.query(COLUMNS);
  if (columns.length === 0) throw new DatabaseError("lost", "The database file does not exist");
  return {
    rows: rows as readonly CatalogRow[],
    typesOf: ({ type }) => [typeOf(`${type}`.toUpperCase())],
  };
};

/** The kind of value that a column of this type prefers: https://sqlite.org/datatype3.html#determination_of_column_affinity */
function typeOf(type: string): string {
  if (/INT/.test(type)) return "number";
  if (/CHAR|CLOB|TEXT/.test(type)) return "string";
  if (/BLOB/.test(type)) return "Uint8Array";
  if (type === "" || type === "ANY") return "unknown";
  if (/REAL|FLOA|DOUB|NUMERIC|DECIMAL|BOOL/.test(type)) return "number";
  // Texts that look like numbers become numbers, others such as dates stay.
  return "number | string";
}

/**
 * `INTEGER PRIMARY KEY` names the row id, which is never `NULL`: https://sqlite.org/rowidtable.html
 * A key with an index of its own, such as `INTEGER PRIMARY KEY DESC`, does not.
 */
const ROW_ID = "p.pk = 1 AND lower(p.type) = 'integer' AND l.wr = 0 " +
  "AND (SELECT count(*) FROM pragma_table_info(l.name) WHERE pk > 0) = 1 " +
  "AND NOT EXISTS (SELECT 1 FROM pragma_index_list(l.name) WHERE origin = 'pk')";
const COLUMNS = `SELECT l.name AS relation, l.type = 'view' AS is_view, '' AS relation_comment,
  p.name AS name, '' AS comment, p."notnull" OR ${ROW_ID} AS not_null,
  p.dflt_value IS NOT NULL OR ${ROW_ID} AS has_default, p.hidden > 1 AS is_generated, p.type AS type
FROM pragma_table_list l JOIN pragma_table_xinfo(l.name) p
WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND p.hidden <> 1
  AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND l.name NOT GLOB '_cf_*' ORDER BY l.name, p.cid`;
