import type { MysqlConnection } from "../engines/mysql/driver.ts";
import type { Catalog, ColumnInfo } from "./catalog.ts";

type Types = readonly [select: string, insert?: string];

const NUMBER: Types = ["number"];
const TEXT: Types = ["string"];
const TIME: Types = ["Date", "Date | string"];
const BYTES: Types = ["Uint8Array"];

/** `mysql2` with its defaults, by `DATA_TYPE`. */
const TYPES: Readonly<Record<string, Types>> = {
  ...each("tinyint smallint mediumint int bigint float double year", NUMBER),
  ...each("char varchar tinytext text mediumtext longtext set time uuid inet4 inet6", TEXT),
  ...each("date datetime timestamp", TIME),
  ...each("bit binary varbinary tinyblob blob mediumblob longblob", BYTES),
  decimal: ["string", "number | string"],
  json: ["Json", "string"],
  point: ["Point"],
};

function each(names: string, types: Types): Readonly<Record<string, Types>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, types]));
}

type Row = Readonly<Record<string, unknown>>;

export async function readMysql(connection: Pick<MysqlConnection, "execute">): Promise<Catalog> {
  const ask = async (sql: string) => (await connection.execute({ sql, values: [] })).rows;
  const rows = await ask(COLUMNS);
  const hasChecks = /mariadb/i.test(`${rows[0]?.version}`);
  const isJson = jsonColumns(hasChecks ? await ask(CHECKS) : []);
  const tables = Map.groupBy(rows, ({ relation }) => `${relation}`);
  return {
    enums: [],
    tables: [...tables].map(([name, columns]) => {
      const { kind, relation_comment: comment } = columns[0]!;
      const isView = kind === "VIEW";
      return {
        name,
        key: name,
        isView,
        comment: isView ? "" : `${comment}`,
        columns: columns.map((row) => columnOf(isJson(row) ? { ...row, type: "json" } : row)),
      };
    }),
  };
}

/** JSON of MariaDB is text with a check, by which the driver knows it; a view does not tell which of the two it has. */
function jsonColumns(checks: readonly Row[]): (row: Row) => boolean {
  const found = new Set(checks.flatMap(({ relation, clause }) => {
    const [, name] = /^json_valid\(`((?:[^`]|``)+)`\)$/i.exec(`${clause}`) ?? [];
    return name === undefined ? [] : [`${relation}.${name.replaceAll("``", "`")}`];
  }));
  return ({ kind, relation, name, type }) =>
    found.has(`${relation}.${name}`) ||
    (found.size > 0 && kind === "VIEW" && `${type}`.endsWith("text"));
}

function columnOf(row: Row): ColumnInfo {
  const type = `${row.type}`.toLowerCase();
  const extra = `${row.extra}`.toLowerCase();
  const [select, insert = select] = type === "enum"
    ? [labelsOf(`${row.definition}`)]
    : TYPES[type] ?? ["unknown"];
  return {
    name: `${row.name}`,
    select,
    ...(!/\b(?:virtual|stored|persistent) generated\b/.test(extra) && { insert }),
    isNullable: row.nullable === "YES",
    hasDefault: row.initial !== null || extra.includes("auto_increment"),
    comment: `${row.comment}`,
  };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", 0: "\0", Z: "\x1a" };

/** `enum('a','it''s')` as a union. */
function labelsOf(definition: string): string {
  return [...definition.matchAll(/'((?:[^'\\]|''|\\.)*)'/gs)]
    .map(([, label = ""]) =>
      JSON.stringify(label.replace(/''|\\(.)/gs, (_, escaped = "'") => ESCAPES[escaped] ?? escaped))
    ).join(" | ");
}

const COLUMNS =
  "SELECT t.TABLE_NAME AS relation, t.TABLE_TYPE AS kind, t.TABLE_COMMENT AS relation_comment, " +
  "c.COLUMN_NAME AS name, c.COLUMN_DEFAULT AS initial, c.IS_NULLABLE AS nullable, c.DATA_TYPE AS type, " +
  "c.COLUMN_TYPE AS definition, VERSION() AS version, c.EXTRA AS extra, c.COLUMN_COMMENT AS comment " +
  "FROM information_schema.TABLES t JOIN information_schema.COLUMNS c " +
  "ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME " +
  "WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') " +
  "ORDER BY BINARY t.TABLE_NAME, c.ORDINAL_POSITION";

const CHECKS = "SELECT TABLE_NAME AS relation, CHECK_CLAUSE AS clause " +
  "FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()";
