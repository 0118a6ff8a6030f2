import { hexDigest, hexOf } from "../../text/mod.ts";
import { connectMysql } from "../../migrations/sql/engines/mysql/driver.ts";
import { type Key, LOCK_SECONDS, nameOf, type OpenServer } from "./server.ts";

// The types that are left out lose digits as texts, mean two times, or are in another order.
const KEY = `SELECT c.DATA_TYPE AS type, t.TABLE_ROWS AS n FROM information_schema.COLUMNS c
JOIN information_schema.TABLES t USING (TABLE_SCHEMA, TABLE_NAME)
JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE AND e.TRANSACTIONS = 'YES'
JOIN information_schema.STATISTICS s USING (TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME)
WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? AND COLUMN_NAME = ?
AND c.IS_NULLABLE = 'NO' AND c.DATA_TYPE NOT IN ('bit', 'enum', 'float', 'set', 'timestamp') AND s.NON_UNIQUE = 0 AND s.SUB_PART IS NULL AND NOT EXISTS (
  SELECT 1 FROM information_schema.STATISTICS o WHERE o.TABLE_SCHEMA = s.TABLE_SCHEMA
  AND o.TABLE_NAME = s.TABLE_NAME AND o.INDEX_NAME = s.INDEX_NAME AND o.SEQ_IN_INDEX > 1)
AND NOT EXISTS (SELECT 1 FROM information_schema.TABLES w
  WHERE w.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND w.TABLE_NAME = ? AND w.ENGINE NOT IN (
    SELECT ENGINE FROM information_schema.ENGINES WHERE TRANSACTIONS = 'YES'))`;
const SETTINGS = [
  "SET NAMES utf8mb4, SESSION autocommit = 1, SESSION sql_safe_updates = 0, " +
  `SESSION lock_wait_timeout = ${LOCK_SECONDS}, SESSION innodb_lock_wait_timeout = ${LOCK_SECONDS}`,
  // Next-key locks would keep rows from being inserted between those of a batch.
  "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
];

export const openServer: OpenServer = async (datasource, environment) => {
  const connection = await connectMysql(datasource, environment);
  for (const sql of SETTINGS) await connection.send(sql);
  return {
    text: "LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    query: async (sql) => (await connection.execute({ sql, values: [] })).rows,
    begin: () => connection.send("BEGIN"),
    change: async (command) => (await connection.execute(command)).matched ?? 0,
    async key({ table, column, written }) {
      const values = [...placeOf(table), nameOf(column), ...placeOf(written)];
      const { rows: [found] } = await connection.execute({ sql: KEY, values });
      return found && { ...formOf(`${found.type}`), rows: Number(found.n) };
    },
    async tryLock(name) {
      const values = [`irori ${(await hexDigest(name)).slice(0, 48)}`];
      const sql = "SELECT GET_LOCK(?, 0) AS locked";
      return Number((await connection.execute({ sql, values })).rows[0]?.locked) === 1;
    },
    async strain() {
      const sql = "SHOW GLOBAL STATUS LIKE 'Threads_running'";
      const [found] = (await connection.execute({ sql, values: [] })).rows;
      return { lagMs: 0, running: Number(found?.Value) - 1 };
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
};

/** The schema, if one is written, and the name of a table. */
function placeOf(table: string): readonly [string | null, string] {
  const [name = "", schema = null] = (table.match(/`(?:[^`]|``)+`|[^.]+/g) ?? [])
    .map(nameOf).reverse();
  return [schema, name];
}

function formOf(type: string): Pick<Key, "text" | "literal"> {
  const text = (column: string) => `CAST(${column} AS CHAR)`;
  // As a text a number would be compared as a floating point number.
  if (/int$|^decimal$/i.test(type)) return { text, literal: (value) => value };
  if (/binary$|blob$/i.test(type)) {
    return { text: (column) => `HEX(${column})`, literal: (value) => `X'${value}'` };
  }
  return { text, literal: (value) => `_utf8mb4 X'${hexOf(new TextEncoder().encode(value))}'` };
}
