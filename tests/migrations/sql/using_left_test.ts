/** Tests the state of connections that the application has handed over, if a run fails. */
import { PGlite } from "npm:@electric-sql/pglite@0.5.8";
import mysql from "npm:mysql2@^3.24.0/promise";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import type { RunEvent } from "../../../src/migrations/runner/mod.ts";
import { addressesOf } from "../../../src/migrations/sql/mod.ts";
import * as mariadb from "./mysql_support.ts";
import { outcomes } from "./support.ts";
import { CONFIG, start } from "./using_support.ts";

const folder = Deno.makeTempDirSync({ prefix: "irori-left-" });
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));

function withSchemaFile(path: string) {
  const migrations = { enabled: true, schema_file: path };
  return { datasource: [{ name: "main", migrations }] };
}

function notices() {
  const found: string[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type === "notice") found.push(event.message);
  };
  return { found, onEvent };
}

Deno.test("writing the schema of a PGlite leaves its settings unchanged", async () => {
  await using db = await PGlite.create();
  await db.exec("SET extra_float_digits = 0; SET search_path = pg_catalog, public");
  const settings = async () => {
    return (await db.query("SELECT name, setting FROM pg_settings ORDER BY name")).rows;
  };
  const before = await settings();
  const path = `${folder}/schema.sql`;
  const { found, onEvent } = notices();
  const files = { "1.sql": "CREATE TABLE public.t (x int);" };
  assertEquals(
    outcomes({ results: await start({ main: db }, files, withSchemaFile(path), onEvent) }),
    ["1.sql applied"],
  );
  assertEquals(found, []);
  assertStringIncludes(await Deno.readTextFile(path), "CREATE TABLE public.t (");
  await db.exec("INSERT INTO public.t VALUES (1)");
  assertEquals(await settings(), before);
  const again = await start({ main: db }, files, withSchemaFile(path));
  assertEquals(outcomes({ results: again }), ["1.sql skipped"]);
});

Deno.test("a PGlite whose role was dropped is returned, with a warning", async () => {
  await using db = await PGlite.create();
  await db.exec("CREATE ROLE app SUPERUSER; SET ROLE app; SET search_path = other, public");
  const { found, onEvent } = notices();
  const files = { "1.sql": "RESET ROLE; REASSIGN OWNED BY app TO postgres; DROP ROLE app;" };
  assertEquals(outcomes({ results: await start({ main: db }, files, CONFIG, onEvent) }), [
    "1.sql applied",
  ]);
  assertEquals((await db.query("SHOW search_path")).rows, [{ search_path: "other, public" }]);
  assertEquals(found, [
    'The session of the application is not as it was: SET ROLE "app": role "app" does not exist',
  ]);
  // A role that may not read the records, and a session that another client keeps.
  await db.exec("CREATE ROLE plain; SET ROLE plain");
  assertEquals(outcomes({ results: await start({ main: db }, files) }), ["1.sql skipped"]);
  assertEquals((await db.query("SELECT current_user::text AS name")).rows, [{ name: "plain" }]);
  const { promise, resolve } = Promise.withResolvers<void>();
  const kept = db.runExclusive(() => promise);
  const error = await assertRejects(() => start({ main: db }, files));
  assertStringIncludes(`${error}`, "Waited 0.3 s for a transaction of the application");
  resolve();
  await kept;
  assertEquals((await db.query("SELECT 1 AS one")).rows, [{ one: 1 }]);
});

Deno.test("two runs on one DatabaseSync go one after the other, and leave it as it was", async () => {
  using database = new DatabaseSync(":memory:");
  database.exec("PRAGMA busy_timeout = 7");
  const files = {
    "1.sql": "CREATE TABLE a (id INTEGER PRIMARY KEY);",
    "2.sql": "INSERT INTO a VALUES (1);",
  };
  const runs = await Promise.all([1, 2, 3].map(() => start({ main: database }, files)));
  assertEquals(runs.flat().filter(({ outcome }) => outcome === "applied").length, 2);
  const one = (sql: string) => Object.values({ ...database.prepare(sql).get() })[0];
  assertEquals(one("PRAGMA foreign_keys"), 1);
  assertEquals(one("PRAGMA busy_timeout"), 7);
});

Deno.test("a DatabaseSync gets back the settings that a file changed", async () => {
  using database = new DatabaseSync(`${folder}/settings.db`);
  const settings = {
    ...{ synchronous: 0, cache_size: 99, legacy_alter_table: 1, trusted_schema: 0 },
    ...{ journal_mode: "memory", locking_mode: "exclusive", reverse_unordered_selects: 1 },
    ...{ max_page_count: 5000, secure_delete: 1, automatic_index: 0, short_column_names: 0 },
  };
  const read = () =>
    Object.keys(settings).map((name) => ({ ...database.prepare(`PRAGMA ${name}`).get() }));
  const before = read();
  const made = Object.entries(settings).map(([name, value]) => `PRAGMA ${name} = ${value};`);
  const first = { "1.sql": `-- irori: no-transaction\n${made.join("\n")}` };
  await start({ main: database }, first);
  assertEquals(read(), before);
  // That is a property of the file, and stays.
  await start({ main: database }, {
    ...first,
    "2.sql": "-- irori: no-transaction\nPRAGMA journal_mode = wal;",
  });
  assertEquals({ ...database.prepare("PRAGMA journal_mode").get() }, { journal_mode: "wal" });
});

Deno.test("a DatabaseSync gets back its settings while another connection locks its file", async () => {
  const path = `${folder}/locked.db`;
  using database = new DatabaseSync(path, { timeout: 7 });
  using other = new DatabaseSync(path);
  await start({ main: database }, { "1.sql": "CREATE TABLE a (x INT);" }, CONFIG, ({ type }) => {
    if (type === "finished") other.exec("BEGIN EXCLUSIVE");
  });
  const one = (sql: string) => Object.values({ ...database.prepare(sql).get() })[0];
  assertEquals(one("PRAGMA foreign_keys"), 1);
  assertEquals(one("PRAGMA busy_timeout"), 7);
});

for (const options of [{ returnArrays: true }, { readBigInts: true }]) {
  Deno.test(`a DatabaseSync with ${Object.keys(options)} runs migrations like one without options`, async () => {
    using database = new DatabaseSync(":memory:", options);
    const files = { "1.sql": "CREATE TABLE a (id INT);" };
    assertEquals(outcomes({ results: await start({ main: database }, files) }), ["1.sql applied"]);
    assertEquals(outcomes({ results: await start({ main: database }, files) }), ["1.sql skipped"]);
  });
}

Deno.test("databaseFile() + is the absolute path of a DatabaseSync that was handed over", async () => {
  const path = `${folder}/app.db`;
  using file = new DatabaseSync(path);
  using memory = new DatabaseSync(":memory:");
  // Older versions of `node:sqlite` cannot tell.
  Object.defineProperty(file, "location", { value: undefined });
  const pglite = (dataDir?: string) => ({ dataDir, execProtocol() {}, runExclusive() {} });
  const cases: [using: object, database: string][] = [
    [file, path],
    [memory, ":memory:"],
    [pglite("./data/pg"), "/srv/data/pg"],
    [pglite("file://data/pg"), "/srv/data/pg"],
    [pglite("/data/pg"), "/data/pg"],
    [pglite("memory://x"), ":memory:"],
    [pglite(), ":memory:"],
  ];
  for (const [main, database] of cases) {
    assertEquals((await addressesOf({ main }, "/srv")).main?.database, database);
  }
});

Deno.test("a database that is closed or returns rows in another form is refused", async () => {
  const closed = new DatabaseSync(":memory:");
  closed.close();
  const other = { prepare() {}, exec() {}, transaction() {} };
  await assertRejects(() => addressesOf({ main: closed }, "/"), Error, "a database that is open");
  for (const main of [other, null as unknown as object, 1 as unknown as object]) {
    await assertRejects(() => addressesOf({ main }, "/"), Error, "DatabaseSync of");
  }
});

Deno.test({
  name: "a connection of a mysql2 pool that cannot be made as new is not kept",
  ignore: mariadb.mysqlMissing !== undefined,
  async fn() {
    const { host, port, username, password, database } = await mariadb.create();
    const pool = mysql.createPool({
      ...{ host, port, user: username, password: password?.reveal(), database },
      connectionLimit: 1,
    });
    try {
      // Its password is another one when the session is made again.
      pool.pool.on("connection", (connection: { config: { password: string } }) => {
        connection.config.password = "changed";
      });
      await assertRejects(() => start({ main: pool }, { "1.sql": "SELECT 1" }));
      const again = await Promise.race([
        pool.query("SELECT 1").then(() => "answered"),
        new Promise((resolve) => setTimeout(() => resolve("hangs"), 3000)),
      ]);
      assertEquals(again, "answered");
    } finally {
      await pool.end();
      await mariadb.cleanUp();
    }
  },
});
