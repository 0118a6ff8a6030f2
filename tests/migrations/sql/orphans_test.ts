/** A run that is killed may leave a statement behind that its server goes on with. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { InterruptedError, LockedError } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { spawnRun } from "./process_child.ts";
import { databaseTest, failing, migrate, migrated, outcomes, resolve } from "./support.ts";

/** A connection of either driver. */
interface Connection {
  query(sql: string): Promise<unknown>;
  end(): Promise<void>;
}

interface Subject {
  readonly name: string;
  readonly missing: string | undefined;
  readonly support: typeof mysql | typeof postgresql;
  /** Makes a server of a database that does not look after its clients. */
  readonly careless: (database: string) => readonly string[];
  /** Starts files without a transaction; it gives up what their session holds. */
  readonly forgetful: string;
  /** Finds sessions that are at the statement, and wait for a row. */
  readonly waiting: string;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: "PostgreSQL",
    missing: postgresql.postgresqlMissing,
    support: postgresql,
    careless: (database) => [
      "CREATE FUNCTION public.version() RETURNS text LANGUAGE sql AS $$SELECT 'another system'$$",
      `ALTER DATABASE ${database} SET search_path = public, pg_catalog`,
    ],
    forgetful: "DISCARD ALL;\n",
    waiting: "SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) " +
      "WHERE NOT l.granted AND a.datname = current_database()",
  },
  {
    name: "MySQL",
    missing: mysql.mysqlMissing,
    support: mysql,
    careless: () => [],
    forgetful: "DO RELEASE_ALL_LOCKS();\n",
    waiting: "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = database() " +
      "AND STATE = 'Updating' AND INFO LIKE 'UPDATE a%'",
  },
];

const FIRST = { "1.sql": "CREATE TABLE a (id INT); INSERT INTO a VALUES (1);" };

for (const { name, missing, support, careless, forgetful, waiting } of SUBJECTS) {
  const test = (what: string, body: (datasource: Datasource) => Promise<void>) =>
    databaseTest(`${name}: ${what}`, support, missing, async (datasource) => {
      await migrated(datasource, FIRST);
      await body(datasource);
    });
  const beCareless = async (datasource: Datasource) => {
    for (const sql of careless(datasource.database)) await support.query(datasource, sql);
  };
  const value = async (datasource: Datasource) =>
    (await support.query(datasource, "SELECT id FROM a")).map(({ id }) => id);

  /** Kills a run in a statement that waits for a row, and goes on waiting. */
  const leaveOrphan = async (datasource: Datasource, tree: Record<string, string>) => {
    const blocker: Connection = await support.connect(datasource);
    await blocker.query("BEGIN");
    await blocker.query("UPDATE a SET id = id");
    const child = spawnRun(datasource, tree);
    let isOver = false;
    const output = child.output().finally(() => isOver = true);
    while ((await support.query(datasource, waiting)).length === 0) {
      if (isOver) throw new Error(new TextDecoder().decode((await output).stderr));
    }
    child.kill("SIGKILL");
    await output;
    let isOpen = true;
    const release = async () => {
      if (isOpen) await blocker.end();
      isOpen = false;
    };
    return { release, [Symbol.asyncDispose]: release };
  };

  test("a run says which statement of an earlier one goes on, and waits for it", async (datasource) => {
    const text = `-- irori: no-transaction\n${forgetful}UPDATE a SET id = id + 1;`;
    const tree = { ...FIRST, "2.sql": text };
    await beCareless(datasource);
    await using orphan = await leaveOrphan(datasource, tree);
    const notices: string[] = [];
    const onNotice = (message: string) => notices.push(message);
    const brief = { lockTimeoutMs: 200, onNotice };
    const error = await failing(LockedError, datasource, tree, brief);
    assertMatch(
      error.message,
      /(process|connection) \d+ of the server still runs 'UPDATE a SET id = id \+ 1': until .*gave up after 0\.2 s/,
    );
    assertMatch(
      notices.join("\n"),
      /^Waiting up to 0\.2 s: of an earlier run .* still runs 'UPDATE a SET id = id \+ 1'$/m,
    );
    // The file cannot be resolved while its statement goes on.
    for (const answer of ["retry", "applied"] as const) {
      const refused = await resolve(datasource, tree, "2.sql", answer, brief).catch((error) =>
        error
      );
      assert(refused instanceof LockedError, `${refused}`);
    }
    const resolving = resolve(datasource, tree, "2.sql", "applied");
    await orphan.release();
    assertEquals((await resolving)?.isPending, false);
    assertEquals(await value(datasource), [2]);
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped", "2.sql skipped"]);
  });

  test("a run that waits for one asks for the result of its file, and does nothing twice", async (datasource) => {
    const text = `-- irori: no-transaction\n${forgetful}UPDATE a SET id = id + 1;`;
    const tree = { ...FIRST, "2.sql": text };
    await beCareless(datasource);
    await using orphan = await leaveOrphan(datasource, tree);
    const next = migrate(datasource, tree);
    await orphan.release();
    assert((await next).error instanceof InterruptedError, `${(await next).error}`);
    assertEquals(await value(datasource), [2]);
  });

  test("resolve --cancel ends the statement of a dead run, and nothing else", async (datasource) => {
    const text = `-- irori: no-transaction\n${forgetful}UPDATE a SET id = id + 1;`;
    const tree = { ...FIRST, "2.sql": text };
    await beCareless(datasource);
    const cancel = (path: string) => resolve(datasource, tree, path, "cancel");
    assertEquals(await cancel("2.sql"), undefined);
    await using orphan = await leaveOrphan(datasource, tree);
    assertEquals(await cancel("1.sql"), undefined);
    assertEquals((await support.query(datasource, waiting)).length, 1);
    const { known, ...rest } = (await cancel("2.sql"))!;
    assertMatch(
      known,
      /^ended (process|connection) \d+ of the server, which still ran 'UPDATE a SET id = id \+ 1'$/,
    );
    assertEquals(rest, { file: "2.sql", isPending: true, isKept: true });
    assertEquals(await support.query(datasource, waiting), []);
    assertEquals(await cancel("2.sql"), undefined);
    // Now its result is known.
    await orphan.release();
    assertEquals(await value(datasource), [1]);
    await resolve(datasource, tree, "2.sql", "retry");
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped", "2.sql applied"]);
    assertEquals(await value(datasource), [2]);
  });

  test("resolve --cancel ends nothing of a run that is at work", async (datasource) => {
    const tree = { ...FIRST, "2.sql": "-- irori: no-transaction\nUPDATE a SET id = id + 1;" };
    const blocker: Connection = await support.connect(datasource);
    await blocker.query("BEGIN");
    await blocker.query("UPDATE a SET id = id");
    const running = migrated(datasource, tree);
    while ((await support.query(datasource, waiting)).length === 0);
    const options = { lockTimeoutMs: 50 };
    const refused = await resolve(datasource, tree, "2.sql", "cancel", options).catch((e) => e);
    assert(refused instanceof LockedError, `${refused}`);
    assertEquals((await support.query(datasource, waiting)).length, 1);
    await blocker.end();
    assertEquals(outcomes(await running), ["1.sql skipped", "2.sql applied"]);
  });

  if (name === "MySQL") continue;

  test("resolve --cancel ends a transaction, and the next run applies the file", async (datasource) => {
    const tree = { ...FIRST, "2.sql": "UPDATE a SET id = id + 1;" };
    await beCareless(datasource);
    await using orphan = await leaveOrphan(datasource, tree);
    assertEquals(await resolve(datasource, tree, "3.sql", "cancel"), undefined);
    const { known, ...rest } = (await resolve(datasource, tree, "2.sql", "cancel"))!;
    assertMatch(known, /^ended process \d+ of the server, which still ran the file '2\.sql'$/);
    assertEquals(rest, { file: "2.sql", isPending: true });
    await orphan.release();
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped", "2.sql applied"]);
    assertEquals(await value(datasource), [2]);
  });

  test("an orphan in a transaction is named by its file, and leaves nothing", async (datasource) => {
    const tree = { ...FIRST, "2.sql": "UPDATE a SET id = id + 1;" };
    await beCareless(datasource);
    await using orphan = await leaveOrphan(datasource, tree);
    const error = await failing(LockedError, datasource, tree, { lockTimeoutMs: 200 });
    assertMatch(error.message, /process \d+ of the server still runs the file '2\.sql'/);
    const next = migrate(datasource, tree);
    await orphan.release();
    assertEquals(outcomes(await next), ["1.sql skipped", "2.sql applied"]);
    assertEquals(await value(datasource), [2]);
  });

  for (const head of ["", "-- irori: no-transaction\n"]) {
    const how = head === "" ? "in a transaction" : "without one";
    test(`an orphan ${how} ends by itself, as the server looks after its client`, async (datasource) => {
      const tree = { ...FIRST, "2.sql": `${head}UPDATE a SET id = id + 1;` };
      await using orphan = await leaveOrphan(datasource, tree);
      const deadline = performance.now() + 20_000;
      while ((await support.query(datasource, waiting)).length > 0) {
        assert(performance.now() < deadline, "it goes on");
      }
      await orphan.release();
      assertEquals(await value(datasource), [1]);
      const report = await migrate(datasource, tree);
      if (head === "") assertEquals(outcomes(report), ["1.sql skipped", "2.sql applied"]);
      else assert(report.error instanceof InterruptedError, `${report.error}`);
    });
  }

  test("no secret of a file is shown where its statement goes on", async () => {
    const placeholders = { api_key: "s3cr3t" };
    const migrations = { enabled: true, onChange: "fail", placeholders } as const;
    const datasource = await support.create({ migrations });
    await migrated(datasource, FIRST);
    const text =
      `-- irori: no-transaction\n${forgetful}UPDATE a SET id = id + length('\${api_key}');`;
    await beCareless(datasource);
    await using orphan = await leaveOrphan(datasource, { ...FIRST, "2.sql": text });
    const tree = { ...FIRST, "2.sql": text };
    const error = await failing(LockedError, datasource, tree, { lockTimeoutMs: 100 });
    assertStringIncludes(error.message, "length('${api_key}')");
    await orphan.release();
  });
}

databaseTest(
  "PostgreSQL: another program that holds the advisory lock of a file is named",
  postgresql,
  postgresql.postgresqlMissing,
  async (datasource) => {
    const client = await postgresql.connect(datasource);
    await client.query("SET application_name = 'scheduler'");
    await client.query(`SELECT pg_advisory_lock(${0x69726f726an})`);
    try {
      const error = await failing(LockedError, datasource, FIRST, { lockTimeoutMs: 200 });
      assertMatch(
        error.message,
        /process \d+ of the server \('scheduler', perhaps another program with the same advisory lock\)/,
      );
    } finally {
      await client.end();
    }
  },
);
