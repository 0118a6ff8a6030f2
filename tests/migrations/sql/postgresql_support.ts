import pg from "npm:pg@^8.23.0";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { freshName, missing, server } from "./servers.ts";

export const postgresqlMissing = missing("TEST_PG_URL");

/** A connection without the code under test. */
export async function connect(
  { host, port, username, password, database }: Datasource,
): Promise<pg.Client> {
  const client = new pg.Client({
    host,
    port,
    user: username,
    password: password?.reveal(),
    database,
  });
  await client.connect();
  return client;
}

export async function query(
  datasource: Datasource,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = await connect(datasource);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** An empty database, until {@linkcode cleanUp}. */
export async function create(options: Partial<Datasource> = {}): Promise<Datasource> {
  const database = freshName();
  created.push(database);
  await query(server("TEST_PG_URL"), `CREATE DATABASE ${database}`);
  return server("TEST_PG_URL", { database, ...options });
}

const created: string[] = [];

/** Takes every database away that was created. */
export async function cleanUp(): Promise<void> {
  for (const database of created.splice(0)) {
    await query(server("TEST_PG_URL"), `DROP DATABASE ${database} WITH (FORCE)`);
  }
}
