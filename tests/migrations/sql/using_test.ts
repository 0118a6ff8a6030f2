import { PGlite } from "npm:@electric-sql/pglite@0.5.8";
import mysql from "npm:mysql2@^3.24.0/promise";
import pg from "npm:pg@^8.23.0";
import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { LockedError } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { testSqlDialect } from "../../contracts/sql_dialect.ts";
import { keeping, MYSQL, POSTGRESQL, SQLITE } from "./dialects.ts";
import * as mariadb from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { handles, outcomes } from "./support.ts";
import { spawnRun } from "./process_child.ts";
import {
  CONFIG,
  libsql,
  mysqlPool,
  neonPool,
  pglite,
  pgPool,
  postgresJs,
  sqliteHandle,
  start,
} from "./using_support.ts";

testSqlDialect({ ...POSTGRESQL, name: "PostgreSQL by a pool of the application", ...pgPool });

testSqlDialect({ ...POSTGRESQL, name: "PostgreSQL by Neon's driver", ...neonPool });

testSqlDialect({ ...POSTGRESQL, name: "PostgreSQL by postgres.js", ...postgresJs });

testSqlDialect({ ...MYSQL, name: "MariaDB by a pool of the application", ...mysqlPool });

testSqlDialect({
  ...SQLITE,
  name: "SQLite that the application has opened",
  ...sqliteHandle,
  // One more: no transaction of the application may be open.
  messages: [46, 15],
  hold: ({ database }) => {
    const handle = handles.get(database) as DatabaseSync;
    handle.exec("BEGIN IMMEDIATE");
    return Promise.resolve(keeping(() => Promise.resolve(handle.exec("COMMIT"))));
  },
});

testSqlDialect({ ...libsql, name: "SQLite by libSQL" });

const { skip: _, ...ANY_POSTGRESQL } = POSTGRESQL;
testSqlDialect({
  ...ANY_POSTGRESQL,
  name: "PGlite that the application has opened",
  ...pglite,
  messages: [14, 6],
  hasOneSession: true,
  hold: async () => {
    const handle = handles.get(":memory:") as PGlite;
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const transaction = handle.transaction(async (own) => {
      await own.query("SELECT 1");
      begun.resolve();
      await over.promise;
    });
    await begun.promise;
    return keeping(() => {
      over.resolve();
      return transaction;
    });
  },
});

Deno.test.afterAll(() => pglite.close());

function poolTest(name: string, body: (datasource: Datasource, pool: pg.Pool) => Promise<void>) {
  Deno.test({
    name: `a pool of pg ${name}`,
    ignore: postgresql.postgresqlMissing !== undefined,
    async fn() {
      const datasource = await postgresql.create();
      const pool = postgresql.poolOf(datasource);
      try {
        await body(datasource, pool);
      } finally {
        await pool.end();
        await postgresql.cleanUp();
      }
    },
  });
}

poolTest(
  "needs no URL, and has no session, lock or transaction of the run afterwards",
  async ({ database }, pool) => {
    const role = `${database}_role`;
    const files = {
      "1.sql": `CREATE ROLE ${role}; CREATE TABLE a (id INT); SET search_path = nowhere;`,
      "2.sql":
        `-- irori: no-transaction\nINSERT INTO a VALUES (1);\nSET statement_timeout = 1234;\n` +
        `SET ROLE ${role};`,
    };
    const { rows: [before] } = await pool.query("SELECT pg_backend_pid() AS pid");
    assertEquals(outcomes({ results: await start({ main: pool }, files) }), [
      "1.sql applied",
      "2.sql applied",
    ]);
    const { rows: [after] } = await pool.query(
      "SELECT pg_backend_pid() AS pid, current_user::text AS role, current_setting('search_path') AS path, " +
        "current_setting('statement_timeout') AS timeout, (SELECT count(*)::int FROM a) AS rows",
    );
    assert(before.pid !== after.pid);
    assertEquals({ ...after, pid: 0 }, {
      ...{ pid: 0, role: "postgres", path: '"$user", public', timeout: "0", rows: 1 },
    });
    const { rows: left } = await pool.query(
      "SELECT state, query FROM pg_stat_activity WHERE datname = current_database() " +
        "AND pid <> pg_backend_pid()",
    );
    assertEquals(left, []);
    const { rows: locks } = await pool.query(
      "SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND database = " +
        "(SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    assertEquals(locks, []);
    assertEquals(outcomes({ results: await start({ main: pool }, files) }), [
      "1.sql skipped",
      "2.sql skipped",
    ]);
    await pool.query(`DROP ROLE ${role}`);
  },
);

poolTest("is used as new, whatever the application has set there", async (datasource, idle) => {
  await idle.query("CREATE SCHEMA elsewhere");
  const settings = { max: 3, statement_timeout: 100, query_timeout: 100 };
  const pool = postgresql.poolOf(datasource, settings);
  try {
    const taken = await Promise.all([1, 2, 3].map(() => pool.connect()));
    for (const client of taken) {
      await client.query("SET search_path = elsewhere; SET standard_conforming_strings = off");
      await client.query("BEGIN");
      client.release();
    }
    await start({ main: pool }, {
      "1.sql": "CREATE TABLE a (t TEXT); INSERT INTO a VALUES ('\\');\nSELECT pg_sleep(0.3);",
    });
    assertEquals(await postgresql.query(datasource, "SELECT t FROM public.a"), [{ t: "\\" }]);
    const { rows } = await pool.query("SELECT current_setting('statement_timeout') AS timeout");
    assertEquals(rows, [{ timeout: "100ms" }]);
  } finally {
    await pool.end();
  }
});

poolTest("waits for a run of another process, and makes it wait", async (datasource, pool) => {
  const client = await postgresql.connect(datasource);
  await client.query(`SELECT pg_advisory_lock(${0x69726f7269})`);
  const files = { "1.sql": "CREATE TABLE a (id INT);" };
  const error = await assertRejects(() => start({ main: pool }, files));
  assert(
    (error as Error).cause instanceof LockedError || /Waited 0.3 s/.test(`${error}`),
    `${error}`,
  );
  const child = spawnRun(datasource, files);
  await client.end();
  assert((await child.output()).success);
  assertEquals(outcomes({ results: await start({ main: pool }, files) }), ["1.sql skipped"]);
});

poolTest("that is too small, or in use, is said to be so", async (datasource) => {
  const files = { "1.sql": "CREATE TABLE a (id INT);" };
  const small = postgresql.poolOf(datasource, { max: 2 });
  await using _small = { [Symbol.asyncDispose]: () => small.end() };
  const error = await assertRejects(() => start({ main: small }, files));
  assertStringIncludes(`${error}`, "has 2 connections at most, and a run needs 3");
  const busy = postgresql.poolOf(datasource, { max: 3 });
  await using _busy = { [Symbol.asyncDispose]: () => busy.end() };
  const taken = await Promise.all([1, 2].map(() => busy.connect()));
  const values = { datasource: [{ ...CONFIG.datasource[0], connect_timeout: 0.2 }] };
  const late = await assertRejects(() => start({ main: busy }, files, values));
  assertStringIncludes(`${late}`, "gave no connection within 0.2 s: all of them are in use");
  for (const client of taken) client.release();
  assertEquals((await busy.query("SELECT 1 AS one")).rows, [{ one: 1 }]);
});

Deno.test({
  name: "a pool of 'mysql2' with one connection is said to be too small",
  ignore: mariadb.mysqlMissing !== undefined,
  fn: async () => {
    const { host, port, username: user, password, database } = await mariadb.create();
    const pool = mysql.createPool({
      ...{ host, port, user, password: password?.reveal(), database },
      connectionLimit: 1,
    });
    try {
      const values = { datasource: [{ ...CONFIG.datasource[0], connect_timeout: 0.2 }] };
      const error = await assertRejects(() =>
        start({ main: pool }, { "1.sql": "SELECT 1;" }, values)
      );
      assertStringIncludes(`${error}`, "or it has too few: a run needs 2 to MySQL");
    } finally {
      await pool.end();
      await mariadb.cleanUp();
    }
  },
});

Deno.test("a PGlite that is closed is said to be so", async () => {
  const closed = await PGlite.create();
  await closed.close();
  const error = await assertRejects(() => start({ main: closed }, { "1.sql": "SELECT 1;" }));
  assertStringIncludes(`${error}`, "The application closed its PGlite");
});

Deno.test("using names what it was given and what was expected", async () => {
  using database = new DatabaseSync(":memory:");
  const cases: [using: Record<string, object>, section: object, message: string][] = [
    [{ main: new pg.Client() }, {}, "'main': Expected a pool, found a single connection"],
    [
      { main: {} },
      {},
      "'main': Expected a Pool of 'pg' or '@neondatabase/serverless', an instance",
    ],
    [
      { other: database },
      {},
      "'using' names the datasource 'other', which does not exist: found 'main'",
    ],
    [
      { main: database },
      { url: "postgres://a/b" },
      "because 'using' is a",
    ],
    [{}, {}, "Expected a URL such as 'postgres://localhost/app', found none"],
  ];
  for (const [using, section, message] of cases) {
    const values = { datasource: [{ ...CONFIG.datasource[0], ...section }] };
    const error = await assertRejects(() => start(using, { "1.sql": "" }, values));
    assertStringIncludes(`${error}`, message);
  }
});

Deno.test("a DatabaseSync keeps its settings, its temporary tables and its own data", async () => {
  using database = new DatabaseSync(":memory:");
  database.exec(
    "PRAGMA busy_timeout = 777; CREATE TEMP TABLE kept (id INT); CREATE TABLE own (id INT)",
  );
  await start({ main: database }, {
    "1.sql": "CREATE TABLE a (id INT); CREATE TEMP TABLE left_behind (id INT);",
    "2.sql": "-- irori: no-transaction\nPRAGMA foreign_keys = OFF;\nATTACH ':memory:' AS other;",
  });
  const one = (sql: string) => Object.values({ ...database.prepare(sql).get() })[0];
  assertEquals(one("PRAGMA busy_timeout"), 777);
  assertEquals(one("PRAGMA foreign_keys"), 1);
  assertEquals(one("SELECT group_concat(name) FROM sqlite_temp_master"), "kept");
  assertEquals(one("SELECT count(*) FROM pragma_database_list WHERE name = 'other'"), 0);
  assertEquals(one("SELECT count(*) FROM framework_migrations"), 2);
  database.exec("BEGIN");
  const error = await assertRejects(() => start({ main: database }, { "3.sql": "SELECT 1" }));
  assertStringIncludes(`${error}`, "has an open transaction");
  database.exec("COMMIT");
});

Deno.test("a PGlite keeps settings, role and channels, and its queries wait for the run", async () => {
  await pglite.create();
  const db = handles.get(":memory:") as PGlite;
  await db.exec(
    "CREATE SCHEMA app; SET search_path = app; CREATE ROLE reader; GRANT ALL ON SCHEMA app TO reader",
  );
  const heard: string[] = [];
  await db.listen("news", (payload) => heard.push(payload));
  const begun = Promise.withResolvers<void>();
  const files = {
    "1.sql": "CREATE TABLE public.a (id INT);",
    "2.sql": "INSERT INTO public.a SELECT generate_series(1, 1000);",
  };
  const run = start({ main: db }, files, CONFIG, ({ type }) => {
    if (type === "started") begun.resolve();
  });
  await begun.promise;
  // A query of the application waits for the end of the run, and is not in its transactions.
  const counted = db.query("SELECT count(*)::int AS n FROM public.a");
  await run;
  assertEquals((await counted).rows, [{ n: 1000 }]);
  assertEquals((await db.query("SHOW search_path")).rows, [{ search_path: "app" }]);
  await db.exec("NOTIFY news, 'still there'");
  assertEquals(heard, ["still there"]);
  assertEquals((await db.query("SELECT count(*)::int AS n FROM public.a")).rows, [{ n: 1000 }]);
  await db.exec("RESET search_path; DROP SCHEMA app CASCADE; DROP ROLE reader");
});
