import { connectMysql, type MysqlConnection } from "../../migrations/sql/engines/mysql/driver.ts";
import { backquoted } from "../../migrations/sql/files/quoting.ts";
import type { LeaseDatabase, PlaceForTest } from "./lease.ts";

/**
 * Takes the first database that no other process uses. It is migrated once, as that takes seconds on these servers; what
 * tests have left in it is replaced by the rows that the migrations have inserted.
 */
export const lease: LeaseDatabase = async (server, environment, prefix, fill) => {
  const admin = await connectMysql(server, environment);
  try {
    // Rows are copied as they are: an id of 0 is no new one, and a date may be zero.
    await admin.send("SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");
    let database = "";
    for (let number = 0, locked; locked !== "1"; number++) {
      database = `${prefix}_${number}`;
      [locked] = await cells(admin, "SELECT GET_LOCK(?, 0)", database);
    }
    if (!await restore(admin, database)) await make(admin, database, fill);
    // Its connection has the lock.
    return { database, close: () => admin.close() };
  } catch (error) {
    await admin.close();
    throw error;
  }
};

/** The tables as the migrations have left them, and at last one that marks them as complete. */
const copyOf = (database: string) => `${database}_copy`;
const READY = "irori_ready";

async function make(
  admin: MysqlConnection,
  database: string,
  fill: (place: PlaceForTest) => Promise<void>,
): Promise<void> {
  const copy = copyOf(database);
  await admin.send(`DROP DATABASE IF EXISTS ${copy}`);
  await admin.send(`DROP DATABASE IF EXISTS ${database}`);
  await admin.send(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
  await fill({ database });
  await admin.send(`CREATE DATABASE ${copy} CHARACTER SET utf8mb4`);
  for (const table of await tablesOf(admin, database)) {
    const name = backquoted(table);
    await admin.send(`CREATE TABLE ${copy}.${name} LIKE ${database}.${name}`);
    await copyRows(admin, table, { from: database, to: copy });
  }
  await admin.send(`CREATE TABLE ${copy}.${READY} (id INT)`);
}

/** @returns false if the database must be migrated again */
async function restore(admin: MysqlConnection, database: string): Promise<boolean> {
  const copy = copyOf(database);
  const tables = await tablesOf(admin, database);
  if (!(await tablesOf(admin, copy)).includes(READY)) return false;
  if (`${await columnsOf(admin, database)}` !== `${await columnsOf(admin, copy)}`) return false;
  // Triggers would act on the rows that are copied; sequences and versions of rows cannot be restored.
  const sql = "SELECT 1 FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? " +
    "UNION ALL SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? " +
    "AND TABLE_TYPE NOT IN ('BASE TABLE', 'VIEW')";
  if ((await cells(admin, sql, database, database)).length > 0) return false;
  await admin.send("SET FOREIGN_KEY_CHECKS = 0");
  for (const table of tables) {
    await admin.send(`TRUNCATE TABLE ${database}.${backquoted(table)}`);
    await copyRows(admin, table, { from: copy, to: database });
  }
  return true;
}

async function tablesOf(admin: MysqlConnection, database: string): Promise<readonly string[]> {
  const sql = "SELECT TABLE_NAME FROM information_schema.TABLES " +
    "WHERE TABLE_SCHEMA = ? AND TABLE_TYPE = 'BASE TABLE'";
  return await cells(admin, sql, database);
}

async function columnsOf(admin: MysqlConnection, database: string): Promise<readonly string[]> {
  const sql =
    "SELECT CONCAT_WS(' ', TABLE_NAME, ORDINAL_POSITION, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, " +
    "EXTRA, COLLATION_NAME) AS text FROM information_schema.COLUMNS " +
    "JOIN information_schema.TABLES USING (TABLE_SCHEMA, TABLE_NAME) " +
    "WHERE TABLE_SCHEMA = ? AND TABLE_TYPE = 'BASE TABLE' AND TABLE_NAME <> ? " +
    "UNION ALL SELECT CONCAT_WS(' ', TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME, NON_UNIQUE) " +
    "FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? ORDER BY text";
  return await cells(admin, sql, database, READY, database);
}

async function copyRows(
  admin: MysqlConnection,
  table: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const name = backquoted(table);
  if ((await cells(admin, `SELECT 1 FROM ${from}.${name} LIMIT 1`)).length === 0) return;
  const sql = "SELECT COLUMN_NAME FROM information_schema.COLUMNS " +
    "WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND EXTRA NOT LIKE '%GENERATED%'";
  const columns = (await cells(admin, sql, from, table)).map(backquoted).join(", ");
  await admin.send(`INSERT INTO ${to}.${name} (${columns}) SELECT ${columns} FROM ${from}.${name}`);
}

async function cells(
  admin: MysqlConnection,
  sql: string,
  ...values: readonly string[]
): Promise<readonly string[]> {
  const { rows } = await admin.execute({ sql, values });
  return rows.map((row) => `${Object.values(row)[0]}`);
}
