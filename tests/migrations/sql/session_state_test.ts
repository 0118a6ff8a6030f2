/** The settings and objects of a file's session, however they were made, must not reach the next file. */
import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as postgresql from "./postgresql_support.ts";
import { pooled, poolerMissing } from "./pooler_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { migrate, migrated, outcomes } from "./support.ts";

/** Ways to change a session that no look at the text of a file finds. */
const LEAVING: readonly (readonly [name: string, text: string])[] = [
  [
    "a function that sets the search_path",
    "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN SET search_path = elsewhere; END $$; " +
    "SELECT f();",
  ],
  [
    "an UPDATE of pg_settings",
    "UPDATE pg_settings SET setting = 'elsewhere' WHERE name = 'search_path';",
  ],
  [
    "a SET ROLE in a trigger",
    "CREATE ROLE irori_left; CREATE TABLE two (id INT); " +
    "CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SET ROLE irori_left; RETURN NEW; END $$; " +
    "CREATE TRIGGER t AFTER INSERT ON two FOR EACH ROW EXECUTE FUNCTION g(); INSERT INTO two VALUES (1);",
  ],
  [
    "a temporary table made by EXECUTE",
    "DO $$ BEGIN EXECUTE 'CREATE ' || 'TEMP TABLE looked_for (id INT)'; END $$;",
  ],
  [
    "a lock taken in a view",
    "CREATE VIEW v AS SELECT pg_advisory_lock(4711)::text AS l; SELECT l FROM v;",
  ],
  [
    "a cursor and a prepared statement",
    "PREPARE p AS SELECT 1; DECLARE c CURSOR WITH HOLD FOR SELECT 1;",
  ],
];

/** Notes what the session is like. */
const SEEN =
  "CREATE TABLE seen AS SELECT current_setting('search_path') AS path, current_user::text AS " +
  "role, to_regclass('looked_for') IS NULL AS bare, (SELECT count(*)::int FROM pg_prepared_statements) " +
  "AS prepared, (SELECT count(*)::int FROM pg_cursors WHERE name = 'c') AS cursors, (SELECT " +
  "count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711) AS locks;";

for (const head of ["", "-- irori: no-transaction\n"]) {
  for (const isPooled of head === "" ? [false, true] : [false]) {
    const how = head === "" ? isPooled ? "through PgBouncer" : "in a transaction" : "without one";
    for (const [name, text] of LEAVING) {
      Deno.test({
        name: `PostgreSQL, ${how}: ${name} reaches no other file`,
        ignore: (isPooled ? poolerMissing : postgresql.postgresqlMissing) !== undefined,
        async fn() {
          const direct = await postgresql.create();
          try {
            const datasource = isPooled ? pooled(direct) : direct;
            await migrated(datasource, { "1.sql": `${head}${text}`, "2.sql": `${head}${SEEN}` });
            assertEquals(await postgresql.query(direct, "SELECT * FROM seen"), [{
              path: '"$user", public',
              role: "postgres",
              bare: true,
              prepared: 0,
              cursors: 0,
              locks: 0,
            }]);
          } finally {
            await postgresql.query(direct, "DROP ROLE IF EXISTS irori_left");
            await postgresql.cleanUp();
          }
        },
      });
    }
  }
}

Deno.test({
  name: "PostgreSQL checks what a file has put off as the file has set its session",
  ignore: postgresql.postgresqlMissing !== undefined,
  async fn() {
    const datasource = await postgresql.create();
    try {
      const text = "CREATE SCHEMA s; CREATE TABLE s.log (id INT); CREATE TABLE a (id INT);\n" +
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES (1); " +
        "RETURN NULL; END $$;\nCREATE CONSTRAINT TRIGGER t AFTER INSERT ON a DEFERRABLE INITIALLY " +
        "DEFERRED FOR EACH ROW EXECUTE FUNCTION f();\nSET search_path = s, public;\nINSERT INTO a VALUES (1);";
      await migrated(datasource, { "1.sql": text });
      assertEquals(await postgresql.query(datasource, "SELECT * FROM s.log"), [{ id: 1 }]);
      const report = await migrate(datasource, {
        "1.sql": text,
        "2.sql": "INSERT INTO a VALUES (2);",
      });
      assertEquals(outcomes(report), ["1.sql skipped", "2.sql failed"]);
    } finally {
      await postgresql.cleanUp();
    }
  },
});

/** Every setting of a connection that SQLite has, and whether anything is left in its temporary database. */
const pragmasOf = (database: DatabaseSync) =>
  database.prepare("SELECT name FROM pragma_pragma_list").all().map(({ name }) => `${name}`)
    .filter((name) => /^[a-z_]+$/.test(name) && !ASKING_DOES.has(name)).sort();
/** These do something when they are asked for. */
const ASKING_DOES = new Set([
  ...["incremental_vacuum", "optimize", "wal_checkpoint", "shrink_memory", "integrity_check"],
  ...["quick_check", "foreign_key_check", "data_store_directory", "temp_store_directory"],
  ...["hard_heap_limit", "soft_heap_limit"], // These belong to the process, not to a connection.
]);

Deno.test("SQLite: no setting of a connection reaches another file", async () => {
  using database = new DatabaseSync(":memory:");
  const pragmas = pragmasOf(database);
  const isNumber = (name: string) => {
    const row = database.prepare(`PRAGMA ${name}`).all()[0];
    return row !== undefined && Object.keys(row).length === 1 &&
      typeof Object.values(row)[0] === "number";
  };
  const settings = pragmas.filter(isNumber).filter((name) => !IN_THE_FILE.has(name));
  const datasource = await sqlite.create();
  const note = (table: string) =>
    `CREATE TABLE ${table} AS ` +
    settings.filter((name) => hasFunction(database, name))
      .map((name) => `SELECT '${name}' AS name, (SELECT * FROM pragma_${name}) AS value`)
      .join(" UNION ALL ");
  const change = settings.filter((name) => !OUTSIDE.has(name))
    .map((name) => `PRAGMA ${name} = ${name === "query_only" ? 0 : 1};`).join("\n");
  await migrated(datasource, {
    "1.sql": note("before"),
    "2.sql": `EXPLAIN PRAGMA recursive_triggers = 1;\n${change}`,
    "3.sql": note("after"),
    "4.sql": "CREATE TEMP TABLE t (id INT); CREATE TEMP VIEW w AS SELECT 1;",
    "5.sql": "CREATE TABLE temporary AS SELECT count(*) AS n FROM sqlite_temp_master;",
  });
  const rows = (table: string) => sqlite.query(datasource, `SELECT * FROM ${table} ORDER BY name`);
  assertEquals(await rows("after"), await rows("before"));
  assertEquals(await sqlite.query(datasource, "SELECT n FROM temporary"), [{ n: 0 }]);
});

/** Kept in the file of the database. */
const IN_THE_FILE = new Set([
  ...["application_id", "user_version", "schema_version", "auto_vacuum", "page_count"],
  ...["page_size", "max_page_count", "freelist_count", "encoding", "data_version"],
  "default_cache_size",
]);
/** Refused in a transaction. */
const OUTSIDE = new Set(["foreign_keys", "journal_mode", "synchronous", "temp_store"]);

function hasFunction(database: DatabaseSync, name: string): boolean {
  try {
    database.prepare(`SELECT * FROM pragma_${name}`);
    return true;
  } catch {
    return false;
  }
}

Deno.test("SQLite: a database that a file has attached is detached after it", async () => {
  const datasource: Datasource = await sqlite.create();
  const other = await sqlite.create();
  await migrated(datasource, {
    "1.sql":
      `-- irori: no-transaction\nATTACH '${other.database}' AS other;\nCREATE TABLE other.a (id INT);`,
    "2.sql":
      "CREATE TABLE seen AS SELECT count(*) AS n FROM pragma_database_list WHERE name = 'other';",
  });
  assertEquals(await sqlite.query(datasource, "SELECT n FROM seen"), [{ n: 0 }]);
});
