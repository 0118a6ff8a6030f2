/** Databases with a manager of each kind, with a table `notes (id, text)`. */
import { PGlite } from "npm:@electric-sql/pglite@0.5.8";
import mysql from "npm:mysql2@^3.24.0/promise";
import type pg from "npm:pg@^8.23.0";
import { DatabaseSync } from "node:sqlite";
import {
  current,
  MysqlTransactions,
  PgliteTransactions,
  PgTransactions,
  SqliteTransactions,
  type TransactionManager,
} from "../../../src/features/transactions/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as mariadb from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";

type Row = Record<string, unknown>;

/** A database of its own. */
export interface TestDatabase extends AsyncDisposable {
  readonly manager: TransactionManager;
  /** Runs a statement by the code under test. */
  run(sql: string): Promise<Row[]>;
  /** Asks the database without the code under test, where it can be asked so. */
  outside(sql: string): Promise<Row[]>;
  /** How many connections are in use. */
  readonly used: number;
  /** Empties the tables. */
  reset(): Promise<void>;
  /** Kills the connection of the caller's transaction, if the server can. */
  kill(): Promise<void>;
}

export interface DatabaseOptions {
  readonly size?: number;
  readonly acquireTimeout?: number;
  /** The test closes it: PGlite fails after 1,900 failed statements ("stack depth limit exceeded"). */
  readonly isNew?: boolean;
  /** A port in place of that of the server. */
  readonly port?: number;
  /** Whether statements give up soon when rows are locked. */
  readonly isImpatient?: boolean;
  /** Milliseconds after which the driver gives up on a statement. */
  readonly queryTimeout?: number;
}

/** A kind of database. */
export interface Kind {
  readonly name: string;
  /** Why it cannot be tested here. */
  readonly skip?: string;
  /** Whether each transaction has a connection of its own. */
  readonly hasPool: boolean;
  create(options?: DatabaseOptions): Promise<TestDatabase>;
}

const FRESH = [
  "DROP TABLE IF EXISTS notes",
  "DROP TABLE IF EXISTS counters",
  "CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(40))",
  "CREATE TABLE counters (id INTEGER PRIMARY KEY, n INTEGER)",
  "INSERT INTO counters VALUES (0, 0), (1, 0), (2, 0)",
];
const EMPTY = ["DELETE FROM notes", "UPDATE counters SET n = 0"];

// Each is made once for the tests of a file.
let postgreSqlDatabase: Promise<readonly [Datasource, pg.Client]> | undefined;
let mariaDbDatabase: Promise<readonly [Datasource, mysql.Connection]> | undefined;
let instance: Promise<PGlite> | undefined;

async function createPostgreSql(): Promise<readonly [Datasource, pg.Client]> {
  const datasource = await postgresql.create();
  return [datasource, await postgresql.connect(datasource)];
}

async function createMariaDb(): Promise<readonly [Datasource, mysql.Connection]> {
  const datasource = await mariadb.create();
  return [datasource, await mariadb.connect(datasource)];
}

Deno.test.afterAll(async () => {
  await (await postgreSqlDatabase)?.[1].end();
  await (await mariaDbDatabase)?.[1].end();
  await postgresql.cleanUp();
  await mariadb.cleanUp();
  await (await instance)?.close();
});

export const postgreSql: Kind = {
  name: "PostgreSQL",
  skip: postgresql.postgresqlMissing,
  hasPool: true,
  async create({ size = 4, port, acquireTimeout, isImpatient, queryTimeout } = {}) {
    const [datasource, admin] = await (postgreSqlDatabase ??= createPostgreSql());
    await admin.query(FRESH.join("; "));
    const pool = postgresql.poolOf(datasource, {
      ...(port && { port }),
      max: size,
      ...(isImpatient && { lock_timeout: 200 }),
      ...(queryTimeout && { query_timeout: queryTimeout }),
    });
    const manager = new PgTransactions(pool, { acquireTimeout });
    return {
      manager,
      run: async (sql) => (await current(manager).query(sql)).rows,
      outside: async (sql) => (await admin.query(sql)).rows,
      get used() {
        return pool.totalCount - pool.idleCount;
      },
      reset: async () => void await admin.query(EMPTY.join("; ")),
      async kill() {
        const { rows: [row] } = await current(manager).query("SELECT pg_backend_pid() AS pid");
        await admin.query(`SELECT pg_terminate_backend(${row.pid})`);
      },
      [Symbol.asyncDispose]: () => pool.end(),
    };
  },
};

export const mariaDb: Kind = {
  name: "MariaDB",
  skip: mariadb.mysqlMissing,
  hasPool: true,
  async create({ size = 4, port, acquireTimeout, isImpatient } = {}) {
    const [datasource, admin] = await (mariaDbDatabase ??= createMariaDb());
    for (const statement of FRESH) await admin.query(statement);
    const pool = mysql.createPool({
      ...postgresql.credentials(datasource),
      ...(port && { port }),
      connectionLimit: size,
    });
    if (isImpatient) {
      pool.pool.on("connection", (client) => client.query("SET innodb_lock_wait_timeout = 1"));
    }
    const manager = new MysqlTransactions(pool, { acquireTimeout });
    const { pool: inner } = pool as unknown as {
      readonly pool: {
        readonly _allConnections: { readonly length: number };
        readonly _freeConnections: { readonly length: number };
      };
    };
    return {
      manager,
      run: async (sql) => {
        const [rows] = await current(manager).query(sql);
        return Array.isArray(rows) ? rows : [];
      },
      outside: async (sql) => (await admin.query(sql))[0] as Row[],
      get used() {
        return inner._allConnections.length - inner._freeConnections.length;
      },
      async reset() {
        for (const statement of EMPTY) await admin.query(statement);
      },
      async kill() {
        const [[row]] = await current(manager).query("SELECT CONNECTION_ID() AS id");
        await admin.query(`KILL ${row.id}`);
      },
      [Symbol.asyncDispose]: () => pool.end(),
    };
  },
};

export const sqlite: Kind = {
  name: "SQLite",
  hasPool: false,
  create({ acquireTimeout } = {}) {
    const database = new DatabaseSync(":memory:");
    database.exec(FRESH.join("; "));
    const manager = new SqliteTransactions(database, { acquireTimeout });
    return Promise.resolve({
      manager,
      run: (sql) => current(manager).all(sql),
      outside: (sql) => Promise.resolve(database.prepare(sql).all() as Row[]),
      get used() {
        return database.isTransaction ? 1 : 0;
      },
      reset: () => Promise.resolve(database.exec(EMPTY.join("; "))),
      kill: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(database.close()),
    });
  },
};

export const pgLite: Kind = {
  name: "PGlite",
  hasPool: false,
  async create({ acquireTimeout, isNew } = {}) {
    // Creating one takes seconds.
    const database = await (isNew ? PGlite.create() : instance ??= PGlite.create());
    await database.exec(FRESH.join("; "));
    const manager = new PgliteTransactions(database, { acquireTimeout });
    return {
      manager,
      run: async (sql) => (await current(manager).query<Row>(sql)).rows,
      outside: async (sql) => (await database.query<Row>(sql)).rows,
      used: 0,
      reset: async () => void await database.exec(EMPTY.join("; ")),
      kill: () => Promise.resolve(),
      [Symbol.asyncDispose]: async () => void (isNew && await database.close()),
    };
  },
};

export const KINDS: readonly Kind[] = [postgreSql, mariaDb, sqlite, pgLite];
