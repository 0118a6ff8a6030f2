import { each, literals } from "../../../text/typescript.ts";
import type { CatalogRow, ReadCatalog, ValueTypes } from "./catalog.ts";

/** `mysql2` with its defaults, by `DATA_TYPE`. */
const TYPES: Readonly<Record<string, ValueTypes>> = {
  ...each("tinyint smallint mediumint int bigint float double year", ["number"]),
  ...each("char varchar tinytext text mediumtext longtext set time uuid inet4 inet6", ["string"]),
  ...each("date datetime timestamp", ["Date", "Date | string"]),
  ...each("bit binary varbinary tinyblob blob mediumblob longblob", ["Uint8Array"]),
  decimal: ["string", "number | string"],
  json: ["Json", "string"],
  // As a parameter an object would be an assignment, which the server rejects.
  point: ["Point", "Uint8Array"],
};

export const readMysql: ReadCatalog = async (database) => {
  const rows = (await database.query(COLUMNS)).rows as readonly CatalogRow[];
  const isMariadb = /mariadb/i.test(`${rows[0]?.version}`);
  const isJson = jsonColumns(isMariadb ? (await database.query(CHECKS)).rows : []);
  return {
    rows,
    typesOf(row) {
      const type = `${row.type}`.toLowerCase();
      if (type === "enum") return [labelsOf(`${row.definition}`)];
      return TYPES[isJson(row) ? "json" : type] ?? ["unknown"];
    },
  };
};

/** JSON of MariaDB is text with a check, by which the driver knows it; a view does not tell which of the two it has. */
function jsonColumns(
  checks: readonly Readonly<Record<string, unknown>>[],
): (row: CatalogRow) => boolean {
  const found = new Set(checks.map(({ relation, clause }) => {
    const [, name = ""] = /^json_valid\(`((?:[^`]|``)+)`\)$/i.exec(`${clause}`) ?? [];
    return `${relation}.${name.replaceAll("``", "`")}`;
  }));
  return ({ relation, name, is_view, type }) =>
    found.has(`${relation}.${name}`) ||
    (found.size > 0 && Number(is_view) === 1 && `${type}`.endsWith("text"));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", 0: "\0", Z: "\x1a" };

/** `enum('a','it''s')` as a union. */
function labelsOf(definition: string): string {
  const labels = definition.matchAll(/'((?:[^'\\]|''|\\.)*)'/gs);
  return literals(
    [...labels].map(([, label = ""]) =>
      label.replace(/''|\\(.)/gs, (_, char = "'") => ESCAPES[char] ?? char)
    ),
  );
}

const COLUMNS = `SELECT t.TABLE_NAME AS relation, t.TABLE_TYPE = 'VIEW' AS is_view,
  IF(t.TABLE_TYPE = 'VIEW', '', t.TABLE_COMMENT) AS relation_comment, c.COLUMN_NAME AS name, c.COLUMN_COMMENT AS comment,
  c.IS_NULLABLE = 'NO' AS not_null, c.COLUMN_DEFAULT IS NOT NULL OR c.EXTRA LIKE '%auto_increment%' AS has_default,
  c.EXTRA REGEXP '(VIRTUAL|STORED|PERSISTENT) GENERATED' AS is_generated,
  c.DATA_TYPE AS type, c.COLUMN_TYPE AS definition, VERSION() AS version
FROM information_schema.TABLES t JOIN information_schema.COLUMNS c
  ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME
WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')
ORDER BY BINARY t.TABLE_NAME, c.ORDINAL_POSITION`;

const CHECKS = "SELECT TABLE_NAME AS relation, CHECK_CLAUSE AS clause " +
  "FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()";
