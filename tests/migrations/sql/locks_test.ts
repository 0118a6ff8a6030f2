/** A file that waits for a lock keeps others waiting: that has an end. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withLint } from "../../features/lint/support.ts";
import {
  LockedError,
  MigrationFailedError,
  previewRun,
  type RunReport,
} from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { pooled, poolerMissing } from "./pooler_support.ts";
import {
  openTransaction as open,
  postgresqlMissing,
  query,
  withRole,
} from "./postgresql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { spawnRun } from "./process_child.ts";
import { databaseTest, failing, inSession, migrate, migrated, outcomes } from "./support.ts";

const FIRST = { "1.sql": "CREATE TABLE a (id INT); INSERT INTO a VALUES (1), (2);" };
const ALTER = { ...FIRST, "2.sql": "SELECT 1;\n  ALTER TABLE a ADD COLUMN b INT;" };
const INDEX = {
  ...FIRST,
  "2.sql": "-- irori: no-transaction, lock-timeout 200ms\nCREATE INDEX CONCURRENTLY i ON a (id);",
};
const LIMIT_MS = 200;

const bounded = (datasource: Datasource, lockTimeoutMs = LIMIT_MS): Datasource => ({
  ...datasource,
  migrations: { ...datasource.migrations, lockTimeoutMs },
});

const hasColumn = async (datasource: Datasource) =>
  (await query(
    datasource,
    "SELECT 1 FROM pg_attribute WHERE attrelid = 'a'::regclass AND attname = 'b'",
  ))
    .length === 1;
const files = async (datasource: Datasource) =>
  (await query(datasource, "SELECT migration_path FROM framework_migrations ORDER BY 1"))
    .map(({ migration_path }) => migration_path);
const indexes = (datasource: Datasource) =>
  query(
    datasource,
    "SELECT indexrelid::regclass::text AS i, indisvalid AS v FROM pg_index WHERE indrelid = 'a'::regclass",
  );

for (const isPooled of [false, true]) {
  const through = isPooled ? " through PgBouncer" : "";
  const missing = isPooled ? poolerMissing : postgresqlMissing;
  const test = (
    name: string,
    body: (direct: Datasource, ours: Datasource) => Promise<void>,
  ) =>
    databaseTest(`PostgreSQL${through}: ${name}`, postgresql, missing, async (datasource) => {
      await migrated(datasource, FIRST);
      await body(datasource, bounded(isPooled ? pooled(datasource) : datasource));
    });

  test(
    "readers get through while a file waits for a lock, which it gets in the end",
    async (direct, ours) => {
      await using holder = await open(direct, "SELECT id FROM a WHERE id = 4711");
      await using reader = await open(direct, "COMMIT");
      const notices: string[] = [];
      let isOver = false;
      let longest = 0;
      /** Reads that came to their end while the file was between two tries and the holder was there. */
      let between = 0;
      const reading = (async () => {
        while (!isOver) {
          const started = performance.now();
          await reader.client.query("SELECT count(*) FROM a");
          longest = Math.max(longest, performance.now() - started);
          if (notices.length < 2) between += notices.length;
          else if (between > 0) await holder.release();
        }
      })();
      const onNotice = (message: string) => notices.push(message);
      const report = await migrate(ours, ALTER, { onNotice });
      isOver = true;
      await reading;
      assertEquals(outcomes(report), ["1.sql skipped", "2.sql applied"]);
      assert(await hasColumn(direct));
      assert(between > 0, "no query got through");
      // They had to wait for a try; slack is for a busy machine.
      assert(longest > LIMIT_MS / 4 && longest < LIMIT_MS + 2000, `${longest} ms`);
      assertMatch(
        `${notices[0]}`,
        /^The file got no lock; attempt 2 of 4 follows in [\d.]+ s: canceling statement due to lock timeout/,
      );
    },
  );

  test(
    "a lock that cannot be had: who holds it, without values, and nothing is applied",
    async (direct, ours) => {
      const secret =
        "/* s3cr3t */ SELECT 's3cr3t', E's3\\'cr3t', $$s3cr3t$$, 4711 FROM a -- s3cr3t";
      await using _holder = await open(direct, secret);
      const notices: string[] = [];
      const onNotice = (message: string, file?: string) => notices.push(`${file}: ${message}`);
      const error = await failing(MigrationFailedError, ours, ALTER, { onNotice });
      assertEquals([error.file, error.line, error.column], ["2.sql", 2, 3]);
      assertEquals(error.source, "  ALTER TABLE a ADD COLUMN b INT;");
      assertMatch(
        error.message,
        /^The database refused statement 2 of 2: The statement got no lock in 4 attempts: canceling statement due to lock timeout \(55P03\)\n {2}The statement waited for ACCESS EXCLUSIVE on public\.a\n {2}Held by process \d+ of the server \(user 'postgres', 'web', idle in transaction, its transaction open for \d+ s, since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\): 'SELECT \?, \?, \?, \? FROM a'\n {2}Nothing of the file is applied$/,
      );
      assertEquals(notices.length, 3);
      for (const text of [error.message, ...notices]) {
        assertEquals(/s3|cr3t|4711/.test(text), false, text);
        assertMatch(text, /Held by process \d+/);
      }
      assertEquals([await hasColumn(direct), await files(direct)], [false, ["1.sql"]]);
    },
  );

  test("a session that waits is not reported as the holder of the lock", async (direct, ours) => {
    await using _holder = await open(direct, "SELECT id FROM a", "holder");
    await using waiting = await open(direct, "SELECT 1", "waiting");
    const answer = waiting.client.query("LOCK TABLE a").catch(() => {});
    const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'a'::regclass";
    while ((await query(direct, waits)).length === 0);
    const error = await failing(MigrationFailedError, ours, ALTER);
    assertMatch(
      error.message,
      /\n {2}Held by process \d+ of the server \(user 'postgres', 'holder', [^\n]*: 'SELECT id FROM a'\n {2}Waited for before it by process \d+ of the server \(user 'postgres', 'waiting', active, [^\n]*: 'LOCK TABLE a'\n/,
    );
    await _holder.release();
    await answer;
  });

  test("the query for locks holds no lock itself", async (direct, ours) => {
    await using _holder = await open(direct, "SELECT id FROM a");
    const kept =
      "SELECT c.relname FROM pg_locks l JOIN pg_stat_activity a USING (pid) JOIN pg_class c " +
      "ON c.oid = l.relation AND c.relkind = 'r' WHERE a.datname = current_database() AND " +
      "EXISTS (SELECT FROM pg_locks r WHERE r.pid = l.pid AND r.locktype = 'advisory')";
    const stop = new AbortController();
    let found: unknown;
    const onNotice = async () => {
      found = await query(direct, kept);
      stop.abort(new Error("stopped"));
    };
    // Nothing else is done in the pause.
    await migrate(bounded(ours, 1000), ALTER, { onNotice: () => void onNotice() }, {
      signal: stop.signal,
    });
    assertEquals(found, []);
  });

  test("a run that is stopped between two attempts ends at once", async (direct, ours) => {
    await using holder = await open(direct, "SELECT id FROM a");
    const stop = new AbortController();
    let notices = 0;
    const onNotice = () => {
      notices++;
      stop.abort(new Error("stopped"));
    };
    const report = await migrate(bounded(ours, 2000), ALTER, { onNotice }, { signal: stop.signal });
    assertEquals([report.error, report.stopped, notices], [undefined, true, 1]);
    assertEquals(outcomes(report), ["1.sql skipped", "2.sql not run"]);
    assertEquals(await files(direct), ["1.sql"]);
    await holder.release();
    assertEquals(outcomes(await migrated(ours, ALTER)), ["1.sql skipped", "2.sql applied"]);
  });

  test(
    "a second run waits while the first retries, and applies nothing twice",
    async (direct, ours) => {
      await using holder = await open(direct, "SELECT id FROM a");
      let second: Promise<RunReport> | undefined;
      const onNotice = async () => {
        if (second !== undefined) return;
        second = migrate(ours, ALTER, { owner: "second", lockTimeoutMs: 60_000 });
        const error = await failing(LockedError, ours, ALTER, { lockTimeoutMs: 1 });
        assertMatch(error.message, /another run/);
        await holder.release();
      };
      const first = await migrated(ours, ALTER, { onNotice: () => void onNotice() });
      assertEquals(outcomes(first), ["1.sql skipped", "2.sql applied"]);
      assertEquals(outcomes((await second)!), ["1.sql skipped", "2.sql skipped"]);
    },
  );

  test("a run that is killed between two attempts leaves nothing behind", async (direct, ours) => {
    await using holder = await open(direct, "SELECT id FROM a");
    const child = spawnRun(bounded(ours, 500), ALTER);
    const output = child.output();
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'a'::regclass";
    while ((await query(direct, waiting)).length === 0);
    while ((await query(direct, waiting)).length > 0);
    child.kill("SIGKILL");
    assertEquals((await output).signal, "SIGKILL");
    const locks = "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database " +
      "WHERE l.locktype = 'advisory' AND d.datname = current_database()";
    while ((await query(direct, locks)).length > 0);
    assertEquals([await hasColumn(direct), await files(direct)], [false, ["1.sql"]]);
    await holder.release();
    assertEquals(outcomes(await migrated(ours, ALTER)), ["1.sql skipped", "2.sql applied"]);
  });

  test("a deadlock is retried", async (direct, ours) => {
    // The session that begins to wait last looks for a deadlock.
    await query(direct, "CREATE SEQUENCE tries");
    const text = "SET LOCAL deadlock_timeout = '50ms';\nUPDATE a SET id = 10 WHERE id = 1;\n" +
      "DO $$ BEGIN IF nextval('tries') = 1 THEN WHILE NOT EXISTS " +
      "(SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid') " +
      "LOOP PERFORM pg_sleep(0.01); END LOOP; END IF; END $$;\n" +
      "UPDATE a SET id = 20 WHERE id = 2;";
    await using other = await open(direct, "UPDATE a SET id = id WHERE id = 2");
    await other.client.query("SET LOCAL deadlock_timeout = '60s'");
    const notices: string[] = [];
    const onNotice = (message: string) => notices.push(message);
    const tree = { ...FIRST, "2.sql": text };
    const running = migrate(bounded(ours, 1000), tree, { onNotice });
    while ((await query(direct, "SELECT 1 FROM tries WHERE is_called")).length === 0);
    await other.client.query("UPDATE a SET id = id WHERE id = 1");
    await other.release();
    assertEquals(outcomes(await running), ["1.sql skipped", "2.sql applied"]);
    assertMatch(notices.join("\n"), /^The file got no lock; .*deadlock detected/);
    assertEquals(await query(direct, "SELECT id FROM a ORDER BY id"), [{ id: 10 }, { id: 20 }]);
  });

  test(
    "the limit: of the file, of the datasource, of the database, or none",
    async (direct, ours) => {
      const { lockTimeoutMs: _, ...migrations } = ours.migrations;
      const none = { ...ours, migrations };
      const seen = (name: string) =>
        `CREATE TABLE ${name} AS SELECT current_setting('lock_timeout') AS v;`;
      const value = async (name: string) => (await query(direct, `SELECT v FROM ${name}`))[0]?.v;
      const tree = {
        ...FIRST,
        "2.sql": seen("by_default"),
        "3.sql": `-- irori: lock-timeout 30s\n${seen("of_file")}`,
        "4.sql": `-- irori: lock-timeout 30s\nSET LOCAL lock_timeout = '9s';\n${seen("set_there")}`,
        "5.sql": "INSERT INTO rows_only SELECT current_setting('lock_timeout');",
        "6.sql": seen("after_all"),
      };
      await query(direct, "CREATE TABLE rows_only (v TEXT)");
      await migrated(none, tree);
      assertEquals(
        [await value("by_default"), await value("of_file"), await value("set_there")],
        ["5s", "30s", "9s"],
      );
      assertEquals([await value("rows_only"), await value("after_all")], ["5s", "5s"]);
      await migrated(bounded(ours, 7000), { ...tree, "7.sql": seen("of_datasource") });
      assertEquals(await value("of_datasource"), "7s");
      if (isPooled) return; // Its connections are older than the setting.
      await query(direct, `ALTER DATABASE ${direct.database} SET lock_timeout = '8s'`);
      await migrated(none, {
        ...tree,
        "7.sql": seen("of_datasource"),
        "8.sql": seen("of_database"),
      });
      assertEquals(await value("of_database"), "8s");
    },
  );
}

const test = (name: string, body: (datasource: Datasource) => Promise<void>) =>
  databaseTest(`PostgreSQL: ${name}`, postgresql, postgresqlMissing, async (datasource) => {
    await migrated(datasource, FIRST);
    await body(datasource);
  });

test("CREATE INDEX CONCURRENTLY is retried after a lock timeout, and the invalid index is dropped first", async (datasource) => {
  await using holder = await open(datasource, "UPDATE a SET id = id");
  const notices: string[] = [];
  const onNotice = (message: string) => {
    notices.push(message);
    // The second try cannot drop the index yet.
    if (notices.length === 2) void holder.release();
  };
  const report = await migrated(datasource, INDEX, { onNotice });
  assertEquals(outcomes(report), ["1.sql skipped", "2.sql applied"]);
  assertEquals(await indexes(datasource), [{ i: "i", v: true }]);
  assertMatch(`${notices[0]}`, /Held by process \d+ of the server .*: 'UPDATE a SET id = id'$/);
});

test("CREATE INDEX CONCURRENTLY that never gets its lock names the holder and the invalid index", async (datasource) => {
  await using holder = await open(datasource, "UPDATE a SET id = id");
  const error = await failing(MigrationFailedError, datasource, INDEX);
  assertEquals([error.line, error.column], [2, 1]);
  assertMatch(
    error.message,
    /The statement got no lock in 4 attempts: .*\n {2}The statement waited for the end of another transaction\n {2}Held by process \d+/,
  );
  assertStringIncludes(error.message, "It has left public.i behind, which is invalid");
  assertEquals(await indexes(datasource), [{ i: "i", v: false }]);
  await holder.release();
  await query(datasource, "DROP INDEX i");
});

test("a statement without a lock timeout set by Irori runs once", async (datasource) => {
  await query(datasource, `ALTER DATABASE ${datasource.database} SET lock_timeout = '100ms'`);
  await using holder = await open(datasource, "SELECT id FROM a");
  const tree = { ...FIRST, "2.sql": "-- irori: no-transaction\nALTER TABLE a ADD COLUMN b INT;" };
  const notices: string[] = [];
  const onNotice = (message: string) => notices.push(message);
  const error = await failing(MigrationFailedError, datasource, tree, { onNotice });
  assertMatch(
    error.message,
    /^The database refused the file: canceling statement due to lock timeout/,
  );
  assertEquals(notices, []);
  await holder.release();
});

test("a statement timeout shorter than the lock timeout names the holder of the lock", async (datasource) => {
  await using _holder = await open(datasource, "SELECT id FROM a");
  // The database is asked after 1 s: the other one is for a busy server.
  const error = await failing(
    MigrationFailedError,
    { ...datasource, statementTimeoutMs: 2000 },
    ALTER,
  );
  assertMatch(
    error.message,
    /statement timeout[^]*\n {2}The statement waited for ACCESS EXCLUSIVE on public\.a\n {2}Held by process \d+/,
  );
  const slow = { ...FIRST, "2.sql": "SELECT pg_sleep(2);" };
  await _holder.release();
  const other = await failing(
    MigrationFailedError,
    { ...datasource, statementTimeoutMs: 500 },
    slow,
  );
  assertEquals(/waited|Held/.test(other.message), false, other.message);
});

const UNLIMITED = {
  ...FIRST,
  "2.sql": "-- irori: no-transaction\nALTER TABLE a ADD COLUMN b INT;",
};

test("a statement without a limit reports what it waits for", async (datasource) => {
  await using holder = await open(datasource, "SELECT id FROM a");
  const notices: string[] = [];
  const onNotice = (message: string, file?: string) => {
    notices.push(`${file}: ${message}`);
    void holder.release();
  };
  await migrated(datasource, UNLIMITED, { onNotice, noticeMs: 100 });
  assertEquals(notices.length, 1);
  assertMatch(
    notices[0]!,
    /^2\.sql: Waiting for ACCESS EXCLUSIVE on public\.a; Held by process \d+ of the server/,
  );
});

test("an error in the query for a notice does not end the run", async (datasource) => {
  await using holder = await open(datasource, "SELECT id FROM a");
  const onNotice = () => {
    void holder.release();
    throw new Error("the log is full");
  };
  const report = await migrated(datasource, UNLIMITED, { onNotice, noticeMs: 100 });
  assertEquals(outcomes(report), ["1.sql skipped", "2.sql applied"]);
});

test("a statement timeout does not name the holder of an earlier statement's lock", async (datasource) => {
  await using holder = await open(datasource, "SELECT id FROM a");
  // The last one ends before anything asks what it waits for.
  const text = `${UNLIMITED["2.sql"]}\nSET statement_timeout = '50ms';\nSELECT pg_sleep(60);`;
  const tree = { ...FIRST, "2.sql": text };
  const notices: string[] = [];
  const onNotice = (message: string) => {
    notices.push(message);
    void holder.release();
  };
  const options = { onNotice, noticeMs: 500 };
  const error = await failing(MigrationFailedError, datasource, tree, options);
  assertMatch(notices.join("\n"), /^Waiting for ACCESS EXCLUSIVE/);
  assertMatch(error.message, /^The database refused statement 3 of 3: .*statement timeout/);
  assertEquals(/waited|Held/.test(error.message), false, error.message);
});

test("statements of other users are hidden from users who may not see them", async (datasource) => {
  await withRole(datasource, ["a", "framework_migrations"], async (asRole) => {
    await using _holder = await open(datasource, "SELECT id FROM a");
    const error = await failing(MigrationFailedError, bounded(asRole), ALTER);
    assertMatch(error.message, /Held by process \d+ of the server \(user 'postgres', 'web'\)\n/);
  });
});

test("a failed query for locks does not lose the lock of the run", async (datasource) => {
  const fails =
    "CREATE FUNCTION public.pg_blocking_pids(integer) RETURNS integer[] LANGUAGE plpgsql " +
    "AS $$ BEGIN RAISE 'no'; END $$";
  await query(datasource, fails);
  const path = `ALTER DATABASE ${datasource.database} SET search_path = public, pg_catalog`;
  await query(datasource, path);
  await using _holder = await open(datasource, "SELECT id FROM a");
  // Each try begins only where the lock of the run is held.
  const error = await failing(MigrationFailedError, bounded(datasource), ALTER);
  assertMatch(
    error.message,
    /The statement got no lock in 4 attempts: .*\n {2}The session that holds the lock is not known\n/,
  );
});

test("an ACCESS EXCLUSIVE lock on another table delays neither plan nor migrate", async (datasource) => {
  await using _holder = await open(datasource, "LOCK TABLE a");
  const linted = withLint(bounded(datasource));
  const tree = { ...FIRST, "2.sql": "CREATE INDEX i ON a (id);" };
  const notices: string[] = [];
  const onNotice = (message: string) => notices.push(message);
  const { steps } = await inSession(linted, previewRun, tree, { onNotice });
  assertEquals(steps.at(-1)?.findings?.map(({ rule }) => rule), [
    "require-concurrent-index-creation",
  ]);
  assertMatch(
    notices.join("\n"),
    /^The types and sizes of tables are not known: canceling statement/,
  );
  notices.length = 0;
  const error = await failing(MigrationFailedError, linted, tree, { onNotice });
  assertMatch(error.message, /Held by process/);
  assertEquals(/types and sizes/.test(notices.join("\n")), false, "a run asks for no size");
});
