import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createConfig } from "../../../src/config/mod.ts";
import { HistoryError, MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import { type Datasource, readDatasources } from "../../../src/migrations/sql/mod.ts";
import * as postgresql from "./postgresql_support.ts";
import { databaseTest, failing, migrated, outcomes } from "./support.ts";

const test = (name: string, body: (datasource: Datasource) => Promise<void>) =>
  databaseTest(`PostgreSQL ${name}`, postgresql, postgresql.postgresqlMissing, body);

const TREE = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": "CREATE TABLE b (id INT);" };
/** In which schemas a table is. */
const placesOf = async (datasource: Datasource, table: string) =>
  (await postgresql.query(
    datasource,
    `SELECT schemaname FROM pg_tables WHERE tablename = '${table}' ORDER BY schemaname`,
  )).map(({ schemaname }) => schemaname);
/** As `?currentSchema=` and `migrations.history_schema` make it. */
const configured = (
  { host, port, database, username, password }: Datasource,
  parameters: string,
  migrations: Record<string, string | boolean> = {},
): Datasource => {
  const url =
    `postgres://${username}:${password?.reveal()}@${host}:${port}/${database}${parameters}`;
  const [datasource] = readDatasources(
    createConfig({
      datasource: [{ name: "main", url, migrations: { enabled: true, ...migrations } }],
    }),
  );
  assert(datasource);
  return datasource;
};

test("applies nothing again when the search_path hides the history table, and names the ways out", async (datasource) => {
  await migrated(datasource, TREE);
  await postgresql.query(datasource, "CREATE SCHEMA tenant");
  await postgresql.query(
    datasource,
    `ALTER DATABASE ${datasource.database} SET search_path = tenant`,
  );
  const error = await failing(HistoryError, datasource, TREE);
  assertStringIncludes(error.message, "is in the schema 'public'");
  assertStringIncludes(error.message, "begins with the schema 'tenant'");
  for (const way of ["migrations.history_schema: public", "?currentSchema=public"]) {
    assertStringIncludes(error.message, way);
  }
  assertStringIncludes(error.message, "migrations.history_schema: tenant");
  assertEquals(await placesOf(datasource, "a"), ["public"]);

  const found = configured(datasource, "", { history_schema: "public" });
  const report = await migrated(found, { ...TREE, "3.sql": "CREATE TABLE c (id INT);" });
  assertEquals(outcomes(report), ["1.sql skipped", "2.sql skipped", "3.sql applied"]);
  assertEquals(await placesOf(datasource, "c"), ["tenant"]);
  assertEquals(await placesOf(datasource, "framework_migrations"), ["public"]);
});

test("finds it hidden by the search_path of a role, and takes a schema of its own", async (datasource) => {
  await migrated(datasource, TREE);
  const role = `${datasource.database}_r`;
  try {
    await postgresql.query(datasource, `CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'secret'`);
    await postgresql.query(datasource, `CREATE SCHEMA "Ten""ant"`);
    await postgresql.query(datasource, `ALTER ROLE ${role} SET search_path = "Ten""ant"`);
    const other = { ...datasource, username: role };
    await failing(HistoryError, other, TREE);
    const own = { ...other, historySchema: 'Ten"ant' };
    assertEquals((await migrated(own, TREE)).results.map(({ outcome }) => outcome), [
      "applied",
      "applied",
    ]);
    assertEquals(await placesOf(datasource, "a"), ['Ten"ant', "public"]);
    assertEquals((await migrated(own, TREE)).requests, 1);
    // Its own table is found without being named from now on.
    assertEquals((await migrated(other, TREE)).requests, 1);
  } finally {
    await postgresql.cleanUp();
    await postgresql.query({ ...datasource, database: "postgres" }, `DROP ROLE ${role}`);
  }
});

test("keeps the records of each tenant in the schema that currentSchema names", async (datasource) => {
  await migrated(datasource, TREE);
  for (const schema of ["one", "two"]) {
    await postgresql.query(datasource, `CREATE SCHEMA ${schema}`);
    const tenant = configured(datasource, `?currentSchema=${schema},public`);
    assertEquals(outcomes(await migrated(tenant, TREE)), ["1.sql applied", "2.sql applied"]);
    assertEquals((await migrated(tenant, TREE)).requests, 1);
  }
  assertEquals(await placesOf(datasource, "framework_migrations"), ["one", "public", "two"]);
  assertEquals(await placesOf(datasource, "b"), ["one", "public", "two"]);
});

test("keeps to the schema of its table whatever a file does to the search_path", async (datasource) => {
  const tree = {
    "1.sql": "CREATE SCHEMA other; SET search_path = other; " +
      "CREATE TABLE framework_migrations (never INT);",
    "2.sql": "-- irori: no-transaction\nSET search_path = other; CREATE TABLE here (id INT);",
  };
  assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql applied", "2.sql applied"]);
  assertEquals(
    (await postgresql.query(datasource, "SELECT state FROM framework_migrations")).length,
    2,
  );
  assertEquals(await placesOf(datasource, "here"), ["other"]);
  assertEquals((await migrated(datasource, tree)).requests, 1);
});

test("says what is missing where there is no schema to create the table in", async (datasource) => {
  const error = await failing(HistoryError, { ...datasource, historySchema: "nowhere" }, TREE);
  assertStringIncludes(error.message, 'no schema for the history table, "nowhere".');
  await postgresql.query(
    datasource,
    `ALTER DATABASE ${datasource.database} SET search_path = nowhere`,
  );
  const none = await failing(HistoryError, datasource, TREE);
  assertStringIncludes(none.message, "none of the search_path exists");
  await postgresql.query(datasource, `ALTER DATABASE ${datasource.database} RESET search_path`);
  assertEquals((await failing(MigrationFailedError, datasource, { "1.sql": "SELEKT" })).line, 1);
});
