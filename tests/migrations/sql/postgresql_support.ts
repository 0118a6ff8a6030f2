import pg from "npm:pg@^8.23.0";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { freshName, missing, server } from "./servers.ts";

export const postgresqlMissing = missing("TEST_PG_URL");

export function credentials({ host, port, username, password, database }: Datasource) {
  return { host, port, user: username, password: password?.reveal(), database };
}

/** A pool of `pg` for a datasource, as an application makes one. */
export function poolOf(datasource: Datasource, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ ...credentials(datasource), max: 10, ...settings });
  // Databases of tests are dropped while connections are idle.
  pool.on("error", () => {});
  return pool;
}

/** A connection without the code under test. */
export async function connect(datasource: Datasource): Promise<pg.Client> {
  const client = new pg.Client(credentials(datasource));
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

/** A transaction that has done something and stays open, until it is disposed of. */
export async function openTransaction(datasource: Datasource, sql: string, name = "web") {
  const client = await connect(datasource);
  await client.query(`SET application_name = '${name}'`);
  await client.query("BEGIN");
  await client.query(sql);
  let isOpen = true;
  const release = async () => {
    if (!isOpen) return;
    isOpen = false;
    await client.end();
  };
  return { client, release, [Symbol.asyncDispose]: release };
}

/** A role of its own, which owns the tables of the database and may see nothing of others' sessions. */
export async function withRole(
  datasource: Datasource,
  tables: readonly string[],
  body: (asRole: Datasource) => Promise<void>,
): Promise<void> {
  const role = `irori_${datasource.database.slice(-8)}`;
  await query(datasource, `CREATE ROLE ${role} LOGIN PASSWORD 'secret' SUPERUSER`);
  try {
    const owned = tables.map((table) => `ALTER TABLE ${table} OWNER TO ${role}`).join("; ");
    await query(datasource, `${owned}; ALTER ROLE ${role} NOSUPERUSER`);
    await query(datasource, `GRANT ALL ON SCHEMA public TO ${role}`);
    await body({ ...datasource, username: role });
  } finally {
    const drop = `REASSIGN OWNED BY ${role} TO postgres; DROP OWNED BY ${role}; DROP ROLE ${role}`;
    await query(datasource, drop);
  }
}

/** An empty database, until {@linkcode cleanUp}. */
export async function create(options: Partial<Datasource> = {}): Promise<Datasource> {
  const database = freshName();
  created.push(database);
  await query(server("TEST_PG_URL"), `CREATE DATABASE ${database} STRATEGY = FILE_COPY`);
  return server("TEST_PG_URL", { database, ...options });
}

const created: string[] = [];

/** Takes every database away that was created. */
export async function cleanUp(): Promise<void> {
  for (const database of created.splice(0)) {
    await query(server("TEST_PG_URL"), `DROP DATABASE ${database} WITH (FORCE)`);
  }
}
