import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { LockedError, MigrationFailedError, statusOf } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as mysql from "./mysql_support.ts";
import { databaseTest, failing, inSession, migrated, outcomes } from "./support.ts";

const FIRST = { "1.sql": "CREATE TABLE a (id INT PRIMARY KEY); INSERT INTO a VALUES (1), (2);" };
const HEAD = "-- irori: lock-timeout 500ms\n";
const ALTER = { ...FIRST, "2.sql": `${HEAD}ALTER TABLE a ADD COLUMN b INT;` };

const test = (name: string, body: (datasource: Datasource) => Promise<void>) =>
  databaseTest(`MySQL: ${name}`, mysql, mysql.mysqlMissing, async (datasource) => {
    await using _alone = await mysql.exclusively(datasource);
    await migrated(datasource, FIRST);
    await body(datasource);
  });

/** A transaction that has done something and stays open, until it is disposed of. */
async function open(datasource: Datasource, sql: string) {
  const client = await mysql.connect(datasource);
  await client.query("BEGIN");
  await client.query(sql);
  let isOpen = true;
  const release = async () => {
    if (isOpen) await client.end();
    isOpen = false;
  };
  return { client, release, [Symbol.asyncDispose]: release };
}

test("a statement that gets no lock is retried, and readers are not blocked meanwhile", async (datasource) => {
  await using holder = await open(datasource, "SELECT * FROM a");
  const notices: string[] = [];
  let read = 0;
  const onNotice = async (message: string) => {
    notices.push(message);
    if (notices.length > 1) return;
    await mysql.query(datasource, "SELECT * FROM a");
    read++;
    await holder.release();
  };
  const report = await migrated(datasource, ALTER, {
    onNotice: (message) => void onNotice(message),
  });
  assertEquals(outcomes(report), ["1.sql skipped", "2.sql applied"]);
  assertEquals([read, notices.length], [1, 1]);
  assertMatch(
    `${notices[0]}`,
    /^The file got no lock; attempt 2 of 4 follows in [\d.]+ s: Lock wait timeout exceeded.*; The statement waited for the lock of a table; Held by a session that this user cannot see, or by connection \d+ of the server \(user 'root', '127\.0\.0\.1:\d+', idle in transaction, its transaction open for \d+ s, since 20\S+Z\)$/,
  );
});

test("a timeout on locked rows names the holder, without values, and the statements that ran", async (datasource) => {
  await using _holder = await open(datasource, "UPDATE a SET id = id WHERE id = 2 /* s3cr3t */");
  const text = `${HEAD}INSERT INTO a VALUES (3);\n  DELETE FROM a WHERE id = 2;`;
  const error = await failing(MigrationFailedError, datasource, { ...FIRST, "2.sql": text });
  assertEquals([error.line, error.column], [3, 3]);
  assertMatch(
    error.message,
    /^The database refused statement 2 of 2: The statement got no lock in 4 attempts: Lock wait timeout exceeded/,
  );
  assertMatch(
    error.message,
    /\n {2}The statement waited for rows\n {2}Held by connection \d+ of the server \(user 'root'/,
  );
  assertStringIncludes(error.message, "Of 2 statements 1 is applied");
  assert(!error.message.includes("s3cr3t"));
  const rows = await mysql.query(
    datasource,
    "SELECT state, statement FROM framework_migrations WHERE migration_path = '2.sql'",
  );
  assertEquals(rows, [{ state: "partial", statement: 1 }]);
});

test("migrate and status wait for a locked history table and print a notice", async (datasource) => {
  const other = await mysql.connect(datasource);
  try {
    await other.query("LOCK TABLES framework_migrations WRITE");
    const notices: string[] = [];
    const onNotice = (message: string) => {
      notices.push(message);
      void other.query("UNLOCK TABLES");
    };
    const { files } = await inSession(
      datasource,
      (session, files) => statusOf(session, files),
      FIRST,
      { onNotice, noticeMs: 100 },
    );
    assertEquals(files.map(({ state }) => state), ["applied"]);
    assertEquals(notices.length, 1);
    assertMatch(
      notices[0]!,
      /^Access to the history table, .*framework_migrations, takes long: if another session has locked it, this fails after 10 s$/,
    );
  } finally {
    await other.end();
  }
});

test("writing several records without the lock reports that the lock was lost", async (datasource) => {
  await inSession(datasource, async ({ journal }) => {
    await journal.lock(await journal.read([]), () => Promise.resolve(new Map()));
    await mysql.query(datasource, `KILL IS_USED_LOCK('irori:${datasource.database}')`);
    const applied = { hash: "0".repeat(64), executedAt: new Date(), executedBy: "test" };
    const entries = ["8.sql", "9.sql"].map((path) => ({ path, applied }));
    const error = await assertRejects(() => journal.write(entries), LockedError);
    assertStringIncludes(error.message, "The lock of the run was lost");
  });
});

test("only the session that holds the rows is named", async (datasource) => {
  await mysql.query(datasource, "CREATE TABLE b (id INT PRIMARY KEY)");
  await mysql.query(datasource, "INSERT INTO b VALUES (1)");
  await using _elsewhere = await open(datasource, "UPDATE b SET id = id /* elsewhere */");
  const waiting = await mysql.connect(datasource);
  const answer = waiting.query("UPDATE b SET id = id").catch(() => {});
  await using holder = await open(datasource, "DELETE FROM a WHERE id = 2");
  const id = holder.client.threadId;
  const tree = { ...FIRST, "2.sql": `${HEAD}UPDATE a SET id = 20 WHERE id = 2;` };
  const error = await failing(MigrationFailedError, datasource, tree);
  assertMatch(error.message, new RegExp(`Held by connection ${id} of the server [^\\n;]*\n`));
  await _elsewhere.release();
  await answer;
  await waiting.end();
});

test("a lock timeout counts in whole seconds, and ends with its file", async (datasource) => {
  const limits = "SELECT @@lock_wait_timeout AS t, @@innodb_lock_wait_timeout AS r";
  const [usual] = await mysql.query(datasource, limits);
  const tree = {
    ...FIRST,
    "2.sql": `-- irori: lock-timeout 1500ms\nCREATE TABLE said AS ${limits};`,
    "3.sql": `CREATE TABLE silent AS ${limits};`,
  };
  await migrated(datasource, tree);
  const seen = async (table: string) => {
    const [row] = await mysql.query(datasource, `SELECT * FROM ${table}`);
    return [Number(row?.t), Number(row?.r)];
  };
  assertEquals(await seen("said"), [2, 2]);
  assertEquals(await seen("silent"), [Number(usual?.t), Number(usual?.r)]);
});
