/** The fixtures of the databases for the contract, independent of how a run connects. */
import { DatabaseSync } from "node:sqlite";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import type { DialectFixture } from "../../contracts/sql_dialect.ts";
import * as mariadb from "./mysql_support.ts";
import * as server from "./postgresql_support.ts";
import * as file from "./sqlite_support.ts";

/** Keeps something until it is disposed of, for the first time. */
export function keeping(end: () => Promise<unknown>): AsyncDisposable {
  let isKept = true;
  return {
    async [Symbol.asyncDispose]() {
      if (isKept) await end();
      isKept = false;
    },
  };
}

export const POSTGRESQL: DialectFixture = {
  name: "PostgreSQL",
  ...(server.postgresqlMissing !== undefined && { skip: server.postgresqlMissing }),
  transactional: true,
  create: server.create,
  cleanUp: server.cleanUp,
  query: server.query,
  olderTable: "CREATE TABLE framework_migrations (id SERIAL PRIMARY KEY, " +
    "migration_path VARCHAR(255) NOT NULL UNIQUE, executed_at TIMESTAMP NOT NULL, " +
    "executed_by VARCHAR(255))",
  messages: [15, 7],
  leaving: "SET search_path = nowhere; SET standard_conforming_strings = off; " +
    "CREATE TEMP TABLE left_behind (id INT); PREPARE p AS SELECT 1; " +
    "CREATE ROLE irori_r; GRANT irori_r TO CURRENT_USER; SET ROLE irori_r;",
  minding:
    "CREATE TEMP TABLE left_behind (id INT); PREPARE p AS SELECT 1; CREATE TABLE a (t TEXT); " +
    "DO $$ BEGIN IF '\\' <> E'\\\\' THEN RAISE 'escapes'; END IF; END $$; DROP ROLE irori_r;",
  hold: async (datasource) => {
    const client = await server.connect(datasource);
    await client.query(`SELECT pg_advisory_lock(${0x69726f7269})`);
    return keeping(() => client.end());
  },
};

export const MYSQL: DialectFixture = {
  name: "MySQL",
  ...(mariadb.mysqlMissing !== undefined && { skip: mariadb.mysqlMissing }),
  transactional: false,
  create: mariadb.create,
  cleanUp: mariadb.cleanUp,
  query: mariadb.query,
  olderTable: "CREATE TABLE framework_migrations (id INT AUTO_INCREMENT PRIMARY KEY, " +
    "migration_path VARCHAR(255) NOT NULL UNIQUE, executed_at DATETIME NOT NULL, " +
    "executed_by VARCHAR(255))",
  messages: [49, 19],
  leaving: "CREATE TEMPORARY TABLE left_behind (id INT); " +
    "SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'; USE mysql; SET NAMES latin1; " +
    "LOCK TABLES user READ; SET autocommit = 0;",
  minding: "CREATE TABLE b (t VARCHAR(10));\nCREATE TEMPORARY TABLE left_behind (id INT);\n" +
    'INSERT INTO b VALUES ("é\\n");',
  hold: async (datasource) => {
    const client = await mariadb.connect(datasource);
    await client.query(`SELECT GET_LOCK('irori:${datasource.database}', 0)`);
    return keeping(() => client.end());
  },
};

export const SQLITE: DialectFixture = {
  name: "SQLite",
  transactional: true,
  create: file.create,
  cleanUp: file.cleanUp,
  query: file.query,
  olderTable: "CREATE TABLE framework_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, " +
    "migration_path VARCHAR(255) NOT NULL UNIQUE, executed_at DATETIME NOT NULL, " +
    "executed_by VARCHAR(255))",
  messages: [44, 15],
  leaving: "CREATE TEMP TABLE left_behind (id INT);",
  minding: "CREATE TEMP TABLE left_behind (id INT);",
  hold: ({ database }) => {
    const connection = new DatabaseSync(database);
    connection.exec("BEGIN IMMEDIATE");
    return Promise.resolve(keeping(() => Promise.resolve(connection.close())));
  },
};

/** The differences of SQLite by clients without a session, whose lock is a row. */
export function batches(query: DialectFixture["query"]) {
  return {
    ...SQLITE,
    query,
    hasNoSession: true,
    messages: [17, 8] as const,
    hold: async (datasource: Datasource) => {
      const lock = "framework_migrations_lock";
      await query(datasource, `INSERT INTO ${lock} VALUES (1, 'other', 'other-host', 1e15)`);
      return keeping(() => query(datasource, `DELETE FROM ${lock}`));
    },
  };
}
