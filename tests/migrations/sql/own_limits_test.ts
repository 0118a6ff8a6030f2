/** The runner does not wait for the history table without an end, least of all for what itself has locked. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { InterruptedError, LockedError } from "../../../src/migrations/runner/mod.ts";
import * as mysql from "./mysql_support.ts";
import { pooled, poolerMissing } from "./pooler_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { databaseTest, failing, migrated, outcomes } from "./support.ts";

const FIRST = { "1.sql": "CREATE TABLE a (id INT);" };
const MORE = { ...FIRST, "2.sql": "INSERT INTO a VALUES (1);" };

const test: typeof databaseTest = (name, support, missing, body) =>
  databaseTest(name, support, missing, async (datasource) => {
    await migrated(datasource, FIRST);
    await body(datasource);
  });

for (const mode of ["ACCESS EXCLUSIVE", "SHARE"]) {
  for (const isPooled of [false, true]) {
    const through = isPooled ? " through PgBouncer" : "";
    const missing = isPooled ? poolerMissing : postgresql.postgresqlMissing;
    test(
      `PostgreSQL${through} says who keeps the history table in ${mode} mode`,
      postgresql,
      missing,
      async (datasource) => {
        const keeper = await postgresql.connect(datasource);
        try {
          await keeper.query("BEGIN");
          await keeper.query(`LOCK TABLE framework_migrations IN ${mode} MODE`);
          const ours = isPooled ? pooled(datasource) : datasource;
          const error = await failing(LockedError, ours, MORE, { lockTimeoutMs: 200 });
          assertMatch(
            error.message,
            /^Waited 0\.2 s for the history table, .*, which process \d+ of the server keeps: 'LOCK TABLE framework_migrations IN/,
          );
        } finally {
          await keeper.end();
        }
        assertEquals(outcomes(await migrated(datasource, MORE)), [
          "1.sql skipped",
          "2.sql applied",
        ]);
      },
    );
  }
}

test(
  "PostgreSQL waits for locks in a file by no limit of the run itself",
  postgresql,
  postgresql.postgresqlMissing,
  async (datasource) => {
    const text = "CREATE TABLE seen AS SELECT current_setting('lock_timeout') AS value;";
    await migrated(datasource, { ...FIRST, "2.sql": text }, { lockTimeoutMs: 4321 });
    assertEquals(await postgresql.query(datasource, "SELECT * FROM seen"), [{ value: "5s" }]);
    const role = `ALTER DATABASE ${datasource.database} SET lock_timeout = '7s'`;
    await postgresql.query(datasource, role);
    const more = { ...FIRST, "2.sql": text, "3.sql": text.replace("seen", "again") };
    await migrated(datasource, more, { lockTimeoutMs: 4321 });
    assertEquals(await postgresql.query(datasource, "SELECT * FROM again"), [{ value: "7s" }]);
  },
);

for (const limit of ["idle_session_timeout", "transaction_timeout"]) {
  const test: typeof databaseTest = (name, support, missing, body) =>
    databaseTest(`PostgreSQL's ${limit} ${name}`, support, missing, async (datasource) => {
      // Version 14 has the first, 17 the second.
      const found = `SELECT FROM pg_settings WHERE name = '${limit}'`;
      if ((await postgresql.query(datasource, found)).length === 0) return;
      const set = `ALTER DATABASE ${datasource.database} SET ${limit} = '500ms'`;
      await postgresql.query(datasource, set);
      await body(datasource);
      assertEquals(await postgresql.query(datasource, `SHOW ${limit}`), [{ [limit]: "500ms" }]);
    });

  for (const head of ["", "-- irori: no-transaction\n"]) {
    const how = head === "" ? "in" : "without";
    test(
      `does not end a file ${how} a transaction, nor a run that waits for it`,
      postgresql,
      postgresql.postgresqlMissing,
      async (datasource) => {
        const text = `${head}CREATE TABLE a (id INT);\nSELECT pg_sleep(1.2);`;
        const tree = { "1.sql": text, "2.sql": "CREATE TABLE b (id INT);" };
        const reports = await Promise.all([1, 2].map(() => migrated(datasource, tree)));
        const outcome = reports.map(outcomes).toSorted((a, b) => `${a}` < `${b}` ? -1 : 1);
        assertEquals(outcome, [
          ["1.sql applied", "2.sql applied"],
          ["1.sql skipped", "2.sql skipped"],
        ]);
      },
    );
  }
}

test(
  "MySQL says so when a file keeps everything from being written, and records how far it came",
  mysql,
  mysql.mysqlMissing,
  async (datasource) => {
    await using _alone = await mysql.exclusively(datasource);
    const tree = {
      ...FIRST,
      "2.sql": "INSERT INTO a VALUES (1);\nFLUSH TABLES WITH READ LOCK;\nSELECT 1;",
    };
    const error = await failing(LockedError, datasource, tree, { lockTimeoutMs: 100 });
    assertMatch(
      error.message,
      /^Waited 1 s for the history table, .*FLUSH TABLES WITH READ LOCK/,
    );
    assertStringIncludes(error.message, "Of 3 statements 1 and 2 are applied");
    const again = await failing(InterruptedError, datasource, tree);
    assertStringIncludes(again.message, "it stopped at statement 3 of 3, and 1 and 2 are applied");
  },
);

test(
  "MySQL lets go of what a file keeps locked before it records it",
  mysql,
  mysql.mysqlMissing,
  async (datasource) => {
    await using _alone = await mysql.exclusively(datasource);
    const tree = { ...FIRST, "2.sql": "FLUSH TABLES WITH READ LOCK;" };
    const options = { lockTimeoutMs: 1000 };
    assertEquals(outcomes(await migrated(datasource, tree, options)), [
      "1.sql skipped",
      "2.sql applied",
    ]);
  },
);

test(
  "MySQL does not wait without an end to read a table that another session has locked",
  mysql,
  mysql.mysqlMissing,
  async (datasource) => {
    const keeper = await mysql.connect(datasource);
    try {
      await keeper.query("LOCK TABLES framework_migrations WRITE");
      const error = await failing(LockedError, datasource, MORE, { lockTimeoutMs: 100 });
      assertMatch(error.message, /^Waited 1 s for the history table, .*LOCK TABLES/);
    } finally {
      await keeper.end();
    }
  },
);
