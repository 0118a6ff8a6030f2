import mysql from "npm:mysql2@^3.24.0/promise";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { freshName, missing, server } from "./servers.ts";

export const mysqlMissing = missing("TEST_MYSQL_URL");

/** A connection without the code under test. */
export async function connect(
  { host, port, username, password, database }: Datasource,
): Promise<mysql.Connection> {
  return await mysql.createConnection({
    host,
    port,
    user: username,
    password: password?.reveal(),
    database,
    dateStrings: true,
  });
}

export async function query(
  datasource: Datasource,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = await connect(datasource);
  try {
    const [rows] = await client.query(sql);
    return rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** An empty database, until {@linkcode cleanUp}. */
export async function create(options: Partial<Datasource> = {}): Promise<Datasource> {
  const database = freshName();
  created.push(database);
  await query(server("TEST_MYSQL_URL"), `CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
  return server("TEST_MYSQL_URL", { database, ...options });
}

const created: string[] = [];

/** Takes every database away that was created. */
export async function cleanUp(): Promise<void> {
  for (const database of created.splice(0)) {
    await query(server("TEST_MYSQL_URL"), `DROP DATABASE ${database}`);
  }
}

/**
 * Keeps tests apart that lock all tables of the server, and those that would be disturbed by it: both hold this until it
 * is disposed of, in whatever process they run.
 */
export async function exclusively(datasource: Datasource): Promise<AsyncDisposable> {
  const client = await connect(datasource);
  await client.query("SELECT GET_LOCK('irori-tests', 120)");
  return { [Symbol.asyncDispose]: async () => await client.end() };
}
