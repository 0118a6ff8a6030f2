import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  ConnectionError,
  InterruptedError,
  MigrationFailedError,
} from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { Secret } from "../../../src/migrations/sql/connect/secret.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { databaseTest, failing, migrated, outcomes, resolve } from "./support.ts";

const test = (name: string, body: (datasource: Datasource) => Promise<void>) =>
  databaseTest(`PostgreSQL ${name}`, postgresql, postgresql.postgresqlMissing, body);

const HINT = "-- irori: no-transaction";
const NOTHING = "Nothing of the file is applied";

test("says that a right was missing for the history table", async (datasource) => {
  const user = `${datasource.database}_u`;
  try {
    await postgresql.query(datasource, `CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
    const other = { ...datasource, username: user };
    const tree = { "1.sql": "SELECT 1;" };
    const error = await failing(ConnectionError, other, tree);
    assertMatch(
      error.message,
      /^Cannot create the history table, "public"\.framework_migrations: permission denied for schema public \(42501\)/,
    );
    await migrated(datasource, tree);
    const read = await failing(ConnectionError, other, tree);
    assertMatch(read.message, /^Cannot use the history table, .*: permission denied for table/);
    await postgresql.query(datasource, `GRANT SELECT ON framework_migrations TO ${user}`);
    const more = { ...tree, "2.sql": "SELECT 2;" };
    const written = await failing(ConnectionError, other, more);
    assertMatch(
      written.message,
      /^Cannot use the history table, .*: permission denied for table framework_migrations/,
    );
  } finally {
    await postgresql.cleanUp();
    await postgresql.query({ ...datasource, database: "postgres" }, `DROP ROLE ${user}`);
  }
});

test("says that the sessions are read-only", async (datasource) => {
  try {
    await migrated(datasource, { "1.sql": "SELECT 1;" });
    const setting = `ALTER DATABASE ${datasource.database} SET default_transaction_read_only = on`;
    await postgresql.query(datasource, setting);
    const { message } = await failing(ConnectionError, datasource, { "2.sql": "SELECT 2;" });
    assertMatch(
      message,
      /The database takes no writes: it is a standby, or .* Connect to the primary/,
    );
  } finally {
    await postgresql.cleanUp();
  }
});

/** Files that fail in a transaction, and what they need before. */
const HELPED: readonly (readonly [what: string, before: string, text: string])[] = [
  [
    "a procedure that commits",
    "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$;",
    "CALL p();",
  ],
  [
    "a new value that is used at once",
    "CREATE TYPE mood AS ENUM ('ok');",
    "ALTER TYPE mood ADD VALUE 'sad'; SELECT 'sad'::mood;",
  ],
  ["what runs in no transaction", "CREATE TABLE a (id INT);", "CLUSTER;"],
];

for (const [what, before, text] of HELPED) {
  test(`hints at a file without a transaction for ${what}, and that helps`, async (datasource) => {
    const one = { "1.sql": before };
    await migrated(datasource, one);
    const error = await failing(MigrationFailedError, datasource, { ...one, "2.sql": text });
    assertStringIncludes(error.message, HINT);
    const repaired = { ...one, "2.sql": `${HINT}\n${text}` };
    assertEquals(outcomes(await migrated(datasource, repaired)), [
      "1.sql skipped",
      "2.sql applied",
    ]);
  });
}

/** Files that fail in the same way without a transaction. */
const NOT_HELPED: readonly (readonly [what: string, text: string])[] = [
  ["a function that does what runs in no transaction", "DO $$ BEGIN EXECUTE 'VACUUM'; END $$;"],
  ["a setting that comes too late", "SELECT 1; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;"],
  ["a missing table", "INSERT INTO nowhere VALUES (1);"],
];

for (const [what, text] of NOT_HELPED) {
  test(`does not hint at a file without a transaction for ${what}`, async (datasource) => {
    const error = await failing(MigrationFailedError, datasource, { "1.sql": text });
    assertEquals(error.message.includes(HINT), false, error.message);
    assertStringIncludes(error.message, NOTHING);
  });
}

const TWICE = "CREATE TABLE a (id INT); INSERT INTO a VALUES (1), (1);";

/** The table of the files is there before them. */
const BESIDE = [{}, { yes: true }] as const;

test("does not make an index without a name beside an invalid one", async (datasource) => {
  const head = "-- irori: no-transaction\n";
  const tree = { "1.sql": `${head}CREATE UNIQUE INDEX CONCURRENTLY ON t (a);` };
  await postgresql.query(datasource, "CREATE TABLE t (a INT)");
  await postgresql.query(datasource, "INSERT INTO t VALUES (1), (1)");
  const first = await failing(MigrationFailedError, datasource, tree, ...BESIDE);
  assertMatch(first.message, /It has left public\.t_a_idx behind, which is invalid/);
  await postgresql.query(datasource, "DELETE FROM t");
  await resolve(datasource, tree, "1.sql", "retry");
  const second = await failing(MigrationFailedError, datasource, tree, ...BESIDE);
  assertMatch(second.message, /the index public\.t_a_idx is there and invalid/);
  await postgresql.query(datasource, "DROP INDEX t_a_idx");
  await migrated(datasource, tree, ...BESIDE);
});

test("does not take an invalid index for one that is there, in a transaction either", async (datasource) => {
  await postgresql.query(datasource, "CREATE TABLE t (a INT)");
  await postgresql.query(datasource, "INSERT INTO t VALUES (1), (1)");
  await postgresql.query(datasource, "CREATE UNIQUE INDEX CONCURRENTLY ix ON t (a)").catch(
    () => {},
  );
  const tree = { "1.sql": "CREATE UNIQUE INDEX IF NOT EXISTS ix ON t (a);" };
  const error = await failing(MigrationFailedError, datasource, tree, ...BESIDE);
  assertMatch(
    error.message,
    /the index public\.ix is there and invalid, .*DROP INDEX CONCURRENTLY public\.ix/,
  );
  await postgresql.query(datasource, "DROP INDEX ix");
  await postgresql.query(datasource, "DELETE FROM t");
  await migrated(datasource, tree, ...BESIDE);
});

test("names the invalid index that a failed statement has left", async (datasource) => {
  const text = `${HINT}\nCREATE UNIQUE INDEX CONCURRENTLY "I 1" ON a (id);`;
  const tree = { "1.sql": TWICE, "2.sql": text };
  const error = await failing(MigrationFailedError, datasource, tree);
  assertStringIncludes(
    error.message,
    `It has left public."I 1" behind, which is invalid: 'DROP INDEX CONCURRENTLY public."I 1"' before the next run`,
  );
  assertEquals(error.message.includes(NOTHING), false, error.message);
  const again = await failing(InterruptedError, datasource, tree);
  assertStringIncludes(
    again.message,
    "its statement failed, and a part of its work may have stayed",
  );
  await resolve(datasource, tree, "2.sql", "retry");

  // The index exists, so the server reports success.
  const lazy = { ...tree, "2.sql": text.replace('"I 1"', 'IF NOT EXISTS "I 1"') };
  await postgresql.query(datasource, "DELETE FROM a");
  const found = await failing(MigrationFailedError, datasource, lazy);
  assertMatch(
    found.message,
    /the index public\."I 1" is there and invalid, .*DROP INDEX CONCURRENTLY public\."I 1"/,
  );
  await postgresql.query(datasource, 'DROP INDEX "I 1"');
  assertEquals(outcomes(await migrated(datasource, lazy)), ["1.sql skipped", "2.sql applied"]);
});

test("speaks of no index where a statement has left none", async (datasource) => {
  const text = `${HINT}\nCREATE INDEX CONCURRENTLY i ON nowhere (id);`;
  const error = await failing(MigrationFailedError, datasource, { "1.sql": text });
  assertEquals(/invalid/.test(error.message), false, error.message);
  assertStringIncludes(error.message, NOTHING);
});

Deno.test({
  name: "MySQL says how many statements were applied, not a puzzle",
  ignore: mysql.mysqlMissing !== undefined,
  async fn() {
    try {
      const datasource = await mysql.create();
      const one = "CREATE PROCEDURE p() BEGIN CREATE TABLE a (id INT); DROP TABLE nowhere; END;";
      const tree = { "1.sql": one, "2.sql": "CALL p(); SELECT 1; SELECT 2;" };
      const error = await failing(MigrationFailedError, datasource, tree);
      assertStringIncludes(
        error.message,
        "0 of 3 statements were applied, but a part of the first one's work may have stayed",
      );
      assertEquals(await resolve(datasource, tree, "2.sql", "retry"), {
        file: "2.sql",
        known: "it stopped at statement 1, and a part of its work may have stayed",
        isPending: true,
      });
      await mysql.query(datasource, "DROP TABLE a");
      const alone = { "1.sql": one, "2.sql": "CALL p();" };
      const single = await failing(MigrationFailedError, datasource, alone);
      assertStringIncludes(single.message, "A part of the statement's work may have stayed");
      const asked = await failing(InterruptedError, datasource, alone);
      assertStringIncludes(asked.message, "(1 statement): its statement failed, and a part");
    } finally {
      await mysql.cleanUp();
    }
  },
});

Deno.test("SQLite hints at a file without a transaction where it says that one is in the way", async () => {
  const datasource = await sqlite.create();
  const text = "CREATE TEMP TABLE t (id INT); PRAGMA temp_store = 1;";
  const error = await failing(MigrationFailedError, datasource, { "1.sql": text });
  assertStringIncludes(error.message, HINT);
  await migrated(datasource, { "1.sql": `${HINT}\n${text}` });
});

test("shows neither short secrets nor values of placeholders that are named like them", async ({ ...datasource }) => {
  const placeholders = { api_token: "se-cr.et+", pin_code_pass: "4242", table: "visible" };
  const migrations = { enabled: true, onChange: "fail", placeholders } as const;
  const text = "SELECT '${api_token} ${pin_code_pass} ${table}'::int, 42421;";
  const error = await failing(MigrationFailedError, { ...datasource, migrations }, {
    "1.sql": text,
  });
  assertStringIncludes(error.message, '"${api_token} ${pin_code_pass} visible"');
  assert(!Deno.inspect(error).includes("se-cr.et+"));
  assertStringIncludes(`${error.source}`, "42421");
});

test("shows a password of one letter in no word, and none in any form", async (datasource) => {
  const user = `${datasource.database}_p`;
  try {
    await postgresql.query(datasource, `CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'a'`);
    const other = { ...datasource, username: user, password: new Secret("a") };
    const error = await failing(MigrationFailedError, other, {
      "1.sql": "SELECT a FROM relation;",
    });
    assertStringIncludes(error.message, 'relation "relation" does not exist');
    const column = await failing(MigrationFailedError, other, { "1.sql": "SELECT a;" });
    assertStringIncludes(column.message, 'column "***" does not exist');
  } finally {
    await postgresql.cleanUp();
    await postgresql.query({ ...datasource, database: "postgres" }, `DROP ROLE ${user}`);
  }
});
