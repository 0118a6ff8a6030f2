/** A file of PostgreSQL that is sent in several messages is one file in each of them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { LockedError } from "../../../src/migrations/runner/mod.ts";
import * as postgresql from "./postgresql_support.ts";
import { spawnRun } from "./process_child.ts";
import { failing, migrate, migrated, migratedTest, outcomes, resolve } from "./support.ts";

const { openTransaction: open, query } = postgresql;
const FIRST = { "1.sql": "CREATE TABLE a (id INT, v TEXT); INSERT INTO a VALUES (1);" };
const INSERT = `INSERT INTO a VALUES (2, '${"x".repeat(1000)}');\n`;
/** Larger than one message. */
const LARGE = INSERT.repeat(600);
const WAITS = "SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) " +
  "WHERE NOT l.granted AND a.datname = current_database()";

const test = migratedTest(FIRST);

const PUT_OFF = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS " +
  "$$ BEGIN UPDATE public.a SET id = 3 WHERE id = 1; RETURN NULL; END $$; CREATE CONSTRAINT TRIGGER t " +
  "AFTER INSERT ON a DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION f()";

for (
  const [what, text] of [
    ["in its last part", `${LARGE}UPDATE a SET id = 3 WHERE id = 1;`],
    ["in what it has put off", INSERT],
    [
      "in a long statement",
      `SELECT 1;\nUPDATE a SET v = '${"x".repeat(2 << 20)}' WHERE id = 1;`,
    ],
  ] as const
) {
  test(`resolve --cancel knows a file by any of its messages: ${what}`, async (datasource) => {
    // The server does not look after its clients.
    await query(
      datasource,
      "CREATE FUNCTION public.version() RETURNS text LANGUAGE sql AS $$SELECT 'another system'$$",
    );
    const path = `ALTER DATABASE ${datasource.database} SET search_path = public, pg_catalog`;
    await query(datasource, path);
    if (text === INSERT) await query(datasource, PUT_OFF);
    await using holder = await open(datasource, "UPDATE a SET id = id WHERE id = 1");
    const tree = { ...FIRST, "2.sql": text };
    const child = spawnRun(datasource, tree);
    const output = child.output();
    while ((await query(datasource, WAITS)).length === 0);
    child.kill("SIGKILL");
    await output;
    const error = await failing(LockedError, datasource, tree, { lockTimeoutMs: 100 });
    assertMatch(error.message, /process \d+ of the server still runs the file '2\.sql'/);
    assertEquals(await resolve(datasource, tree, "1.sql", "cancel"), undefined);
    const { known, ...rest } = (await resolve(datasource, tree, "2.sql", "cancel"))!;
    assertMatch(known, /^ended process \d+ of the server, which still ran the file '2\.sql'$/);
    assertEquals(rest, { file: "2.sql", isPending: true });
    await holder.release();
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped", "2.sql applied"]);
  });
}

test("a lock that is lost between two parts is no fault of the file", async (datasource) => {
  await using holder = await open(datasource, "UPDATE a SET id = id WHERE id = 1");
  const text = `UPDATE a SET id = 3 WHERE id = 1;\n${LARGE}`;
  const running = migrate(datasource, { ...FIRST, "2.sql": text });
  while ((await query(datasource, WAITS)).length === 0);
  // Ends the idle session that holds the lock of the run.
  const end = "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) " +
    "WHERE locktype = 'advisory' AND state = 'idle in transaction' AND datname = current_database()";
  assertEquals((await query(datasource, end)).length, 1);
  await holder.release();
  const { error } = await running;
  assert(error instanceof LockedError, `${error}`);
  assertMatch(error.message, /The lock of the run was lost/);
  assertEquals(await query(datasource, "SELECT count(*)::int AS n FROM a"), [{ n: 1 }]);
});

test("a path cannot end the comment that names it", async (datasource) => {
  const tree = { ...FIRST, "2/*b.sql": "SELECT 1;", "3*/b.sql": "SELECT 1;" };
  assertEquals((await migrate(datasource, tree)).error, undefined);
});
