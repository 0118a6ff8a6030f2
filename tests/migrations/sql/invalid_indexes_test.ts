/** An index that a failed `CREATE INDEX CONCURRENTLY` or `REINDEX CONCURRENTLY` has left counts as missing. */
import { assertEquals, assertMatch } from "@std/assert";
import { MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as postgresql from "./postgresql_support.ts";
import { databaseTest, failing, migrated, outcomes } from "./support.ts";

const { query } = postgresql;
const HEAD = "-- irori: no-transaction\n";
const test = (name: string, body: (datasource: Datasource) => Promise<void>) =>
  databaseTest(`PostgreSQL: ${name}`, postgresql, postgresql.postgresqlMissing, body);

/** A table with two equal rows, and an invalid unique index. */
async function withInvalid(datasource: Datasource, table: string, index: string): Promise<void> {
  await query(datasource, `CREATE TABLE ${table} (id INT); INSERT INTO ${table} VALUES (1), (1)`);
  await query(datasource, `CREATE UNIQUE INDEX CONCURRENTLY ${index} ON ${table} (id)`).catch(
    () => {},
  );
}

test("an invalid index of another table stops no file", async (datasource) => {
  await withInvalid(datasource, "t", "id");
  const tree = {
    "1.sql": "CREATE TABLE u (id INT);",
    "2.sql": `${HEAD}CREATE INDEX CONCURRENTLY IF NOT EXISTS u_id ON u (id);`,
    "3.sql": "CREATE INDEX IF NOT EXISTS u_id2 ON u (id);",
  };
  assertEquals(outcomes(await migrated(datasource, tree, {}, { yes: true })), [
    ...["1.sql applied", "2.sql applied", "3.sql applied"],
  ]);
});

test("an invalid index is found in its schema, by its quoted name", async (datasource) => {
  await query(datasource, 'CREATE SCHEMA "S 1"');
  await withInvalid(datasource, '"S 1".t', '"I;1"');
  const text =
    'SET search_path = "S 1";\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "I;1" ON t (id);';
  const error = await failing(MigrationFailedError, datasource, { "1.sql": HEAD + text });
  assertMatch(error.message, /the index "S 1"\."I;1" is there and invalid/);
});

test("an invalid index of a table with the same name in another schema stops no file", async (datasource) => {
  await query(datasource, "CREATE SCHEMA other");
  await withInvalid(datasource, "other.t", "i");
  const tree = {
    "1.sql": "CREATE TABLE t (id INT);",
    "2.sql": `${HEAD}CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON t (id);`,
    "3.sql": "CREATE INDEX IF NOT EXISTS i ON t (id);",
    "4.sql": `${HEAD}CREATE INDEX CONCURRENTLY ON t (id);`,
  };
  assertEquals(outcomes(await migrated(datasource, tree)).length, 4);
  const there = { ...tree, "5.sql": "CREATE INDEX IF NOT EXISTS i ON other.t (id);" };
  const error = await failing(MigrationFailedError, datasource, there);
  assertMatch(error.message, /the index other\.i is there and invalid/);
});

test("an index that is to be built in an open transaction is refused by the server", async (datasource) => {
  const text = `${HEAD}CREATE TABLE t (id INT);\nBEGIN;\nCREATE INDEX CONCURRENTLY i ON t (id);`;
  const error = await failing(MigrationFailedError, datasource, { "1.sql": text });
  assertMatch(error.message, /cannot run inside a transaction block/);
});

test("what REINDEX CONCURRENTLY has left is named", async (datasource) => {
  await query(datasource, "CREATE TABLE t (id INT); INSERT INTO t VALUES (1), (1)");
  await withInvalid(datasource, "u", "u_id");
  const text = `${HEAD}REINDEX INDEX CONCURRENTLY u_id;`;
  const beside = [{}, { yes: true }] as const;
  const error = await failing(MigrationFailedError, datasource, { "1.sql": text }, ...beside);
  assertMatch(error.message, /could not create unique index "u_id_ccnew"/);
  assertMatch(error.message, /It has left public\.u_id_ccnew behind, which is invalid/);
});

test("the index of a partitioned table waits for its partitions", async (datasource) => {
  const tree = {
    "1.sql":
      "CREATE TABLE p (id INT) PARTITION BY LIST (id); CREATE TABLE p1 PARTITION OF p DEFAULT;\n" +
      "CREATE INDEX p_id ON ONLY p (id);",
    "2.sql": "CREATE INDEX IF NOT EXISTS p_id ON ONLY p (id);",
    "3.sql":
      `${HEAD}CREATE INDEX CONCURRENTLY p1_id ON p1 (id);\nALTER INDEX p_id ATTACH PARTITION p1_id;`,
  };
  await migrated(datasource, tree);
  const invalid = "SELECT 1 FROM pg_index WHERE NOT indisvalid";
  assertEquals(await query(datasource, invalid), []);
});
