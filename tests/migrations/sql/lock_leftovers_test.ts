/** Tests the leftovers of a try that got no lock, and how another try or the next run handles them. */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { InterruptedError, MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as postgresql from "./postgresql_support.ts";
import { spawnRun } from "./process_child.ts";
import { failing, migrate, migrated, migratedTest, outcomes, resolve } from "./support.ts";

const { openTransaction: open, query, withRole } = postgresql;
const HEAD = "-- irori: no-transaction, lock-timeout 300ms\n";
const FIRST = {
  "1.sql": "CREATE TABLE a (id INT); INSERT INTO a VALUES (1); CREATE TABLE b (id INT);",
};
const INDEX = { ...FIRST, "2.sql": `${HEAD}CREATE INDEX CONCURRENTLY i ON a (id);` };
const test = migratedTest(FIRST);
const indexes = (datasource: Datasource) =>
  query(
    datasource,
    "SELECT indexrelid::regclass::text AS i, indisvalid AS v FROM pg_index " +
      "WHERE indrelid IN ('a'::regclass, 'b'::regclass) ORDER BY 1",
  );

/** Stops the run that gets no lock. @returns its error */
async function stopped(datasource: Datasource, onNotice: (message: string) => void) {
  const stop = new AbortController();
  const report = await migrate(datasource, INDEX, {
    onNotice: (message) => {
      onNotice(message);
      stop.abort(new Error("stopped"));
    },
  }, { signal: stop.signal });
  return report;
}

test("a run that is stopped between two tries drops the index that the first has left", async (datasource) => {
  await using holder = await open(datasource, "UPDATE a SET id = id");
  const report = await stopped(datasource, () => void holder.release());
  assertEquals([report.error, report.stopped], [undefined, true]);
  assertEquals(await indexes(datasource), []);
  assertEquals(outcomes(await migrated(datasource, INDEX)), ["1.sql skipped", "2.sql applied"]);
});

test("a run that is stopped says which index it cannot drop, and ends as stopped", async (datasource) => {
  await using holder = await open(datasource, "UPDATE a SET id = id");
  const notices: string[] = [];
  const report = await stopped(datasource, (message) => notices.push(message));
  assertEquals([report.error, report.stopped], [undefined, true]);
  assertMatch(
    `${notices.at(-1)}`,
    /It has left public\.i behind, which is invalid: 'DROP INDEX CONCURRENTLY/,
  );
  assertStringIncludes(`${notices.at(-1)}`, "resolve 2.sql --retry");
  assertMatch(
    (await failing(InterruptedError, datasource, INDEX)).message,
    /the index public\.i is there and invalid/,
  );
  assertEquals(await indexes(datasource), [{ i: "i", v: false }]);
  await holder.release();
});

test("an index that another session builds meanwhile is not dropped", async (datasource) => {
  await withRole(datasource, ["a", "b", "framework_migrations"], async (asRole) => {
    await using holder = await open(datasource, "UPDATE a SET id = id; UPDATE b SET id = id");
    const other = await postgresql.connect(datasource);
    const notices: string[] = [];
    const onNotice = (message: string) => {
      notices.push(message);
      // It fails to drop what is left of the first try, until no session blocks it.
      if (notices.length === 2) void holder.release();
    };
    const running = migrate(asRole, INDEX, { onNotice });
    const invalid = "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('i')";
    while ((await query(datasource, invalid)).length === 0);
    const building = other.query("CREATE INDEX CONCURRENTLY j ON b (id)");
    assertEquals(outcomes(await running), ["1.sql skipped", "2.sql applied"]);
    await building;
    await other.end();
    assertEquals(notices.join("\n").includes("j"), false, notices.join("\n"));
    assertEquals(await indexes(datasource), [{ i: "i", v: true }, { i: "j", v: true }]);
  });
});

test("DROP INDEX CONCURRENTLY is tried again by itself", async (datasource) => {
  await query(datasource, "CREATE INDEX i ON a (id)");
  await using holder = await open(datasource, "UPDATE a SET id = id");
  const tree = { ...FIRST, "2.sql": `${HEAD}DROP INDEX CONCURRENTLY i;` };
  const report = await migrated(datasource, tree, { onNotice: () => void holder.release() });
  assertEquals(outcomes(report), ["1.sql skipped", "2.sql applied"]);
  assertEquals(await indexes(datasource), []);
});

test("a partition that is half detached is not taken for one that is not", async (datasource) => {
  await query(
    datasource,
    "CREATE TABLE p (id INT) PARTITION BY LIST (id); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)",
  );
  await using _holder = await open(datasource, "SELECT * FROM p");
  const tree = { ...FIRST, "2.sql": `${HEAD}ALTER TABLE p DETACH PARTITION p1 CONCURRENTLY;` };
  const notices: string[] = [];
  const onNotice = (message: string) => notices.push(message);
  const error = await failing(MigrationFailedError, datasource, tree, { onNotice });
  assertMatch(
    error.message,
    /^The database refused the file: canceling statement due to lock timeout[^\n]*\n[^]*Held by process/,
  );
  assertStringIncludes(error.message, "resolve 2.sql --applied");
  assertEquals(notices, []);
});

test("an invalid index that a killed run has left is named where it is in the way", async (datasource) => {
  await query(datasource, "INSERT INTO a VALUES (1)");
  await query(datasource, "CREATE UNIQUE INDEX CONCURRENTLY i ON a (id)").catch(() => {});
  const error = await failing(MigrationFailedError, datasource, INDEX);
  assertMatch(error.message, /the index public\.i is there and invalid.*DROP INDEX CONCURRENTLY/);
});

test("an invalid index of a file that was cut off is named, and keeps it from being resolved as applied", async (datasource) => {
  const holder = await open(datasource, "UPDATE a SET id = id");
  const child = spawnRun(datasource, INDEX);
  const building = "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('i')";
  while ((await query(datasource, building)).length === 0);
  child.kill("SIGKILL");
  await child.output();
  await holder.release();
  const working =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
  while ((await query(datasource, working)).length > 0);
  // The statement may have finished before the server noticed that its client had left.
  await query(
    datasource,
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'i'::regclass",
  );
  const named = /the index public\.i is there and invalid.*'DROP INDEX CONCURRENTLY public\.i'/;
  assertMatch((await failing(InterruptedError, datasource, INDEX)).message, named);
  const refused = await assertRejects(
    () => resolve(datasource, INDEX, "2.sql", "applied"),
    InterruptedError,
  );
  assertMatch(refused.message, /it cannot be recorded as applied, as the index/);
  await query(datasource, "DROP INDEX i");
  await resolve(datasource, INDEX, "2.sql", "retry");
  assertEquals(outcomes(await migrated(datasource, INDEX)), ["1.sql skipped", "2.sql applied"]);
});

test("a transaction that a file has opened says who holds the lock, and is done once", async (datasource) => {
  await using _holder = await open(datasource, "SELECT id FROM a");
  const text = `${HEAD}BEGIN;\nALTER TABLE a ADD COLUMN b INT;\nCOMMIT;`;
  const error = await failing(MigrationFailedError, datasource, { ...FIRST, "2.sql": text });
  assertMatch(
    error.message,
    /^The database refused statement 2 of 3: canceling statement.*\n {2}The statement waited for ACCESS EXCLUSIVE on public\.a\n {2}Held by process/,
  );
});

test("a run that is frozen in a transaction gives its locks up, and leaves nothing", async (datasource) => {
  const limit = "SET idle_in_transaction_session_timeout = '500ms'";
  await query(datasource, `ALTER DATABASE ${datasource.database} ${limit}`);
  await using holder = await open(datasource, "SET LOCAL idle_in_transaction_session_timeout = 0");
  await holder.client.query("UPDATE a SET id = id");
  const tree = { ...FIRST, "2.sql": "ALTER TABLE b ADD COLUMN c INT; UPDATE a SET id = 2;" };
  const child = spawnRun(datasource, tree);
  const output = child.output();
  const waits = "SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) " +
    "WHERE NOT l.granted AND a.datname = current_database()";
  while ((await query(datasource, waits)).length === 0);
  child.kill("SIGSTOP");
  await holder.release();
  // A reader must wait until then.
  await query(datasource, "SELECT * FROM b");
  child.kill("SIGCONT");
  const { success, stderr } = await output;
  assertEquals(success, false);
  assertStringIncludes(new TextDecoder().decode(stderr), "ConnectionError");
  assertEquals(await query(datasource, "SELECT id FROM a"), [{ id: 1 }]);
  assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped", "2.sql applied"]);
});

test("a run that is frozen keeps its locks for no longer than a minute, or less", async (datasource) => {
  const name = "idle_in_transaction_session_timeout";
  const seen = (table: string) =>
    `CREATE TABLE ${table} AS SELECT current_setting('${name}') AS v;`;
  const values = async () =>
    (await query(datasource, "SELECT v FROM whole UNION ALL SELECT v FROM steps")).map(({ v }) =>
      v
    );
  const tree = {
    ...FIRST,
    "2.sql": seen("whole"),
    "3.sql": `-- irori: no-transaction\n${seen("steps")}`,
  };
  await migrated(datasource, tree);
  assertEquals(await values(), ["1min", "1min"]);
  await query(
    datasource,
    "DROP TABLE whole; DROP TABLE steps; DELETE FROM framework_migrations WHERE migration_path <> '1.sql'",
  );
  await query(datasource, `ALTER DATABASE ${datasource.database} SET ${name} = '5s'`);
  await migrated(datasource, tree);
  assertEquals(await values(), ["5s", "5s"]);
});
