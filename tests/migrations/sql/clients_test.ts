/** Tests the features of applications' clients that are not in the contract of their dialects. */
import { neon } from "npm:@neondatabase/serverless@^1.2.0";
import { createClient } from "npm:@libsql/client@^0.18.0";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { poolerMissing } from "./pooler_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { databaseTest, failing, handles, migrate, migrated, outcomes } from "./support.ts";
import { CONFIG, libsql, postgresJs, sqlOf, start } from "./using_support.ts";

const WAITING = "SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' " +
  "AND datname = current_database()";

function sqlTest(
  name: string,
  body: (datasource: Datasource, sql: ReturnType<typeof sqlOf>) => Promise<void>,
): void {
  const { postgresqlMissing } = postgresql;
  databaseTest(
    `postgres.js ${name}`,
    { ...postgresql, ...postgresJs },
    postgresqlMissing,
    (datasource) => body(datasource, handles.get(datasource.database) as ReturnType<typeof sqlOf>),
  );
}

sqlTest("has no session, lock or setting of the run afterwards", async (_, sql) => {
  const files = {
    "1.sql": "CREATE TABLE a (id INT); SET search_path = nowhere;",
    "2.sql": "-- irori: no-transaction\nINSERT INTO a VALUES (1);\nSET statement_timeout = 1234;",
  };
  assertEquals(outcomes({ results: await start({ main: sql }, files) }), [
    ...["1.sql applied", "2.sql applied"],
  ]);
  const [left] = await sql`SELECT count(*)::int AS sessions,
    (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())) AS locks,
    current_setting('statement_timeout') AS timeout, current_setting('search_path') AS path
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  assertEquals({ ...left }, {
    ...{ sessions: 0, locks: 0, timeout: "0", path: '"$user", public' },
  });
  // The pool opens as many connections as before.
  await Promise.all(Array.from({ length: 20 }, () => sql`SELECT pg_sleep(0.01)`));
});

sqlTest("marks what a file does, and obeys its limits of time", async (datasource) => {
  const tree = { "1.sql": "CREATE TABLE a (id INT); INSERT INTO a VALUES (1);" };
  await migrated(datasource, tree);
  await using holder = await postgresql.openTransaction(datasource, "UPDATE a SET id = id");
  const running = migrated(datasource, {
    ...tree,
    "2.sql": "SELECT 1;\n/* own */ UPDATE a SET id = 2;",
  });
  let waiting: Record<string, unknown>[];
  while ((waiting = await postgresql.query(datasource, WAITING)).length === 0);
  assertStringIncludes(`${waiting[0]?.query}`, "/* irori: 2.sql */ UPDATE a");
  const limited = { ...datasource, name: "other", statementTimeoutMs: 100 };
  const slow = { "1.sql": "SELECT 1;\n  SELECT pg_sleep(5);" };
  await holder.release();
  await running;
  const error = await failing(MigrationFailedError, limited, slow);
  assertEquals([error.line, error.source], [2, "  SELECT pg_sleep(5);"]);
  assertStringIncludes(error.message, "statement timeout");
});

sqlTest("tells who holds the lock that a file did not get in time", async (datasource) => {
  const tree = { "1.sql": "CREATE TABLE a (id INT);" };
  await migrated(datasource, tree);
  await using _holder = await postgresql.openTransaction(datasource, "SELECT * FROM a");
  const { message } = await failing(MigrationFailedError, datasource, {
    ...tree,
    "2.sql": "-- irori: lock-timeout 50ms\nSELECT 1;\nALTER TABLE a ADD b INT;",
  });
  assertStringIncludes(message, "statement 2 of 2: The statement got no lock in 4 attempts");
  assertMatch(message, /Held by process \d+ of the server \(user 'postgres', 'web'/);
});

for (
  const [whose, state, lost] of [
    ["the lock", "idle in transaction", "The lock of the run was lost"],
    ["the file", "active", "The connection was lost in '2.sql'"],
  ] as const
) {
  sqlTest(`survives the end of the connection of ${whose}`, async (datasource, sql) => {
    const tree = { "1.sql": "CREATE TABLE a (id INT); INSERT INTO a VALUES (1);" };
    await migrated(datasource, tree);
    await using holder = await postgresql.openTransaction(datasource, "UPDATE a SET id = id");
    const running = migrate(datasource, { ...tree, "2.sql": "UPDATE a SET id = 2;\nSELECT 1;" });
    while ((await postgresql.query(datasource, WAITING)).length === 0);
    const ended = await postgresql.query(
      datasource,
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE " +
        `locktype = 'advisory' AND state = '${state}' AND datname = current_database()`,
    );
    assertEquals(ended.length, 1);
    await holder.release();
    assertStringIncludes(`${(await running).error}`, lost);
    const ask = () => Array.from({ length: 20 }, () => sql`SELECT id FROM a`);
    // postgres.js itself tells the next query of an ended connection, once.
    await Promise.allSettled(ask());
    const rows = await Promise.all(ask());
    assertEquals(rows.map(([row]) => row?.id), Array(20).fill(1));
    await migrated(datasource, { ...tree, "2.sql": "UPDATE a SET id = 2;\nSELECT 1;" });
  });
}

sqlTest("applies a large file whole, or nothing of it", async (datasource) => {
  const row = `INSERT INTO a VALUES ('${"é😀".repeat(200)}');\n`;
  const text = `CREATE TABLE a (t TEXT);\n${row.repeat(5000)}`;
  const error = await failing(MigrationFailedError, datasource, {
    "1.sql": `${text}INSERT INTO a\n  VALUEZ (1);`,
  });
  assertEquals([error.line, error.column], [5003, 3]);
  await migrated(datasource, { "1.sql": text });
  assertEquals(await postgresql.query(datasource, "SELECT count(*)::int AS n FROM a"), [
    { n: 5000 },
  ]);
});

sqlTest(
  "is refused, with the reason, where a run needs something else",
  async (datasource, sql) => {
    const files = { "1.sql": "CREATE TABLE a (id INT);" };
    const reserved = await sql.reserve();
    const single = await assertRejects(() => start({ main: reserved }, files));
    reserved.release();
    assertStringIncludes(`${single}`, "Expected a pool, found a single connection");
    await using small = disposable(sqlOf(datasource, { max: 2 }));
    const few = await assertRejects(() => start({ main: small.sql }, files));
    assertStringIncludes(`${few}`, "has 2 connections at most, and a run needs 3");
    const transform = { row: { from: (row: unknown) => ({ row }) } };
    await using changing = disposable(sqlOf(datasource, { transform }));
    const changed = await assertRejects(() => start({ main: changing.sql }, files));
    assertStringIncludes(`${changed}`, "'transform.row' of postgres.js changes what a run reads");
    // It then opens connections in another way.
    await using untyped = disposable(sqlOf(datasource, { max: 3, fetch_types: false }));
    assertEquals(outcomes({ results: await start({ main: untyped.sql }, files) }), [
      "1.sql applied",
    ]);
  },
);

Deno.test({
  name: "postgres.js behind PgBouncer is refused files without a transaction",
  ignore: poolerMissing !== undefined,
  async fn() {
    const { database, ...rest } = await postgresql.create();
    const port = Number(new URL(Deno.env.get("TEST_PGBOUNCER_URL")!).port);
    await using pooled = disposable(sqlOf({ ...rest, database, port }, { prepare: false }));
    const first = { "1.sql": "CREATE TABLE a (id INT);" };
    const second = { ...first, "2.sql": "-- irori: no-transaction\nVACUUM a;" };
    assertEquals(outcomes({ results: await start({ main: pooled.sql }, first) }), [
      "1.sql applied",
    ]);
    const error = await assertRejects(() => start({ main: pooled.sql }, second));
    assertStringIncludes(`${error}`, "there is a pooler");
    await pooled.sql.end();
    await postgresql.cleanUp();
  },
});

function disposable(sql: ReturnType<typeof sqlOf>) {
  return { sql, [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }) };
}

Deno.test("the function of Neon that asks by HTTP is refused", async () => {
  const sql = neon("postgres://user:secret@127.0.0.1/db");
  const error = await assertRejects(() => start({ main: sql }, { "1.sql": "SELECT 1;" }));
  assertStringIncludes(`${error}`, "Expected the Pool of '@neondatabase/serverless', found");
});

Deno.test("libSQL migrates a database in memory, and keeps rows of tables that are rebuilt", async () => {
  const client = createClient({ url: ":memory:" });
  await start({ main: client }, {
    "1.sql": "CREATE TABLE parent (id INTEGER PRIMARY KEY); INSERT INTO parent VALUES (1);\n" +
      "CREATE TABLE child (id INT REFERENCES parent ON DELETE CASCADE); INSERT INTO child VALUES (1);",
    // As Drizzle and Prisma write it.
    "2.sql":
      "PRAGMA foreign_keys=OFF;\nCREATE TABLE new_parent (id INTEGER PRIMARY KEY, t TEXT);\n" +
      "INSERT INTO new_parent (id) SELECT id FROM parent;\nDROP TABLE parent;\n" +
      "ALTER TABLE new_parent RENAME TO parent;\nPRAGMA foreign_keys=ON;",
  });
  const { rows: [row] } = await client.execute(
    "SELECT (SELECT count(*) FROM child) AS n, foreign_keys FROM pragma_foreign_keys",
  );
  assertEquals([row?.n, row?.foreign_keys], [1, 1]);
  for (
    const [key, values] of [
      ["schema_file", { datasource: [{ name: "main", migrations: { schema_file: "s.sql" } }] }],
      ["statement_timeout", { datasource: [{ ...CONFIG.datasource[0], statement_timeout: 1 }] }],
    ] as const
  ) {
    const error = await assertRejects(() => start({ main: client }, {}, values));
    assertStringIncludes(`${error}`, key);
  }
  client.close();
});

Deno.test("libSQL takes the lock of a killed run when its time is over, and not before", async () => {
  const datasource = await libsql.create();
  const files = { "1.sql": "CREATE TABLE a (id INT);" };
  await migrated(datasource, files);
  const lock = (until: string) =>
    libsql.query(
      datasource,
      `INSERT INTO framework_migrations_lock VALUES (1, 'x', 'killed-host', CAST(${until} AS INT))`,
    );
  const now = "(julianday('now') - 2440587.5) * 86400000";
  await lock(`${now} + 30000`);
  const { error } = await migrate(datasource, { ...files, "2.sql": "CREATE TABLE b (id INT);" }, {
    lockTimeoutMs: 50,
  });
  assert(/another run: 'killed-host', whose lock ends in (?:29|30) s/.test(`${error}`), `${error}`);
  await libsql.query(datasource, "DELETE FROM framework_migrations_lock");
  await lock(`${now} - 1`);
  await migrated(datasource, { ...files, "2.sql": "CREATE TABLE b (id INT);" });
  await libsql.cleanUp();
});

Deno.test("libSQL applies nothing of a file when the lock was lost", async () => {
  const datasource = await libsql.create();
  const files = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": "CREATE TABLE b (id INT);" };
  const { error } = await migrate(datasource, files, {}, {
    onEvent: async ({ type }) => {
      if (type === "started") {
        await libsql.query(datasource, "DELETE FROM framework_migrations_lock");
      }
    },
  });
  assertStringIncludes(
    `${error}`,
    "The lock of the run was lost because it was not renewed in time",
  );
  const tables = "SELECT name FROM sqlite_schema WHERE name IN ('a', 'b')";
  assertEquals(await libsql.query(datasource, tables), []);
  await libsql.cleanUp();
});

Deno.test("libSQL refuses what works on one connection alone", async () => {
  const datasource = await libsql.create();
  const head = "-- irori: no-transaction\n";
  for (const statement of ["SAVEPOINT s", "ATTACH ':memory:' AS o", "PRAGMA foreign_keys = OFF"]) {
    const error = await failing(MigrationFailedError, datasource, { "1.sql": head + statement });
    assertStringIncludes(error.message, `${statement.split(" ")[0]} works on one connection`);
  }
  await migrated(datasource, { "1.sql": `${head}VACUUM;` });
  await libsql.cleanUp();
});

Deno.test("libSQL finds the statement that fails in a large file, and keeps nothing of it", async () => {
  const datasource = await libsql.create();
  const row = `INSERT INTO a VALUES ('${"é😀".repeat(200)}');\n`;
  const text = `CREATE TABLE a (t TEXT);\n${row.repeat(1000)}`;
  const error = await failing(MigrationFailedError, datasource, {
    "1.sql": `${text}INSERT INTO a VALUES (1, 2);\nSELECT 1;`,
  });
  assertEquals([error.line, error.source], [1002, "INSERT INTO a VALUES (1, 2);"]);
  await migrated(datasource, { "1.sql": text });
  assertEquals(await libsql.query(datasource, "SELECT count(*) AS n FROM a"), [{ n: 1000 }]);
  await libsql.cleanUp();
});

Deno.test("libSQL gives the lock back when a run is stopped", async () => {
  const datasource = await libsql.create();
  const stop = new AbortController();
  const files = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": "CREATE TABLE b (id INT);" };
  const report = await migrate(datasource, files, {}, {
    signal: stop.signal,
    onEvent: ({ type }) => type === "started" && stop.abort(new Error("stopped")),
  });
  assertEquals(outcomes(report), ["1.sql not run", "2.sql not run"]);
  const locks = "SELECT count(*) AS n FROM framework_migrations_lock";
  assertEquals(await libsql.query(datasource, locks), [{ n: 0 }]);
  assertEquals((await migrated(datasource, files)).results.length, 2);
  await libsql.cleanUp();
});
