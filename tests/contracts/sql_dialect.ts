import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  baseline,
  HistoryError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  MigrationFailedError,
  previewRun,
  statusOf,
} from "../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../src/migrations/sql/mod.ts";
import {
  failing,
  filesOf,
  inSession,
  migrate,
  migrated,
  outcomes,
  resolve,
} from "../migrations/sql/support.ts";

/** One kind of database for {@linkcode testSqlDialect}. */
export interface DialectFixture {
  readonly name: string;
  /** Why it cannot be tested here. */
  readonly skip?: string;
  /** Whether a file and its record are one transaction. */
  readonly transactional: boolean;
  /** An empty database. */
  create(options?: Partial<Datasource>): Promise<Datasource>;
  /** Takes away what was created. */
  cleanUp(): Promise<void>;
  /** Asks the database without the code under test. */
  query(datasource: Datasource, sql: string): Promise<Record<string, unknown>[]>;
  /** Whether there is one session, so that no other client can write during a run. @default false */
  readonly hasOneSession?: boolean;
  /** Whether each statement of a file without a transaction may have its own session. @default false */
  readonly hasNoSession?: boolean;
  /** The history table as the PHP framework creates it. */
  readonly olderTable: string;
  /** Messages for five files on an empty database, and for one more. */
  readonly messages: readonly [first: number, more: number];
  /** A file that leaves traces in its session, and one that fails when it sees them. */
  readonly leaving: string;
  readonly minding: string;
  /** Holds what a run has to wait for, until it is disposed of. */
  hold(datasource: Datasource): Promise<AsyncDisposable>;
}

/** The contract of every dialect. */
export function testSqlDialect(fixture: DialectFixture): void {
  const test = (name: string, body: (datasource: Datasource) => Promise<void>) => {
    Deno.test({
      name: `${fixture.name} ${name}`,
      ignore: fixture.skip !== undefined,
      fn: async () => {
        try {
          await body(await fixture.create());
        } finally {
          await fixture.cleanUp();
        }
      },
    });
  };
  const { query } = fixture;
  const history = (datasource: Datasource) =>
    query(datasource, "SELECT * FROM framework_migrations ORDER BY migration_path");
  const states = async (datasource: Datasource) =>
    (await history(datasource)).map((
      { migration_path, state, statement },
    ) => [migration_path, state, statement === null ? null : Number(statement)]);
  const count = async (datasource: Datasource, table: string) => {
    const [row] = await query(datasource, `SELECT count(*) AS n FROM ${table}`);
    return Number(row?.n);
  };
  test("applies new files in order and records them", async (datasource) => {
    const tree = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": "INSERT INTO a VALUES (1);" };
    const report = await migrated(datasource, tree);
    assertEquals(outcomes(report), ["1.sql applied", "2.sql applied"]);
    assertEquals(await count(datasource, "a"), 1);
    const [first, second] = await history(datasource);
    const [file] = await filesOf(tree);
    assertEquals(first?.content_hash, file?.hash);
    assertEquals(first?.connection, datasource.name);
    assertEquals(first?.executed_by, "test-host-1-abc");
    assertEquals([second?.migration_path, second?.state], ["2.sql", "applied"]);
  });

  test("sends as few messages as can be", async (datasource) => {
    const tree: Record<string, string> = {};
    for (let i = 1; i <= 5; i++) tree[`${i}.sql`] = `CREATE TABLE t${i} (id INT);`;
    const first = await migrated(datasource, tree);
    const more = await migrated(datasource, { ...tree, "6.sql": "CREATE TABLE t6 (id INT);" });
    assertEquals([first.requests, more.requests], [...fixture.messages]);
  });

  test("reads once and writes nothing when nothing changed", async (datasource) => {
    const tree = { "1.sql": "CREATE TABLE a (id INT);" };
    await migrated(datasource, tree);
    const report = await migrated(datasource, tree);
    assertEquals(outcomes(report), ["1.sql skipped"]);
    assertEquals(report.requests, 1);
  });

  test("refuses a file that was edited after it was applied, with both hashes", async (datasource) => {
    await migrated(datasource, { "1.sql": "CREATE TABLE a (id INT);" });
    const edited = { "1.sql": "CREATE TABLE a (id INT, b INT);" };
    const error = await failing(MigrationFailedError, datasource, edited);
    for (const { hash } of await filesOf(edited)) assertStringIncludes(error.message, hash);
    assertStringIncludes(error.message, `${(await history(datasource))[0]?.content_hash}`);
  });

  test("applies an edited repeatable file again", async (datasource) => {
    const head = "-- irori: repeatable\n";
    const first = { "1.sql": "CREATE TABLE a (id INT);", "v.sql": `${head}DELETE FROM a;` };
    await migrated(datasource, first);
    const edited = { ...first, "v.sql": `${head}INSERT INTO a VALUES (1);` };
    assertEquals(outcomes(await migrated(datasource, edited)), [
      "1.sql skipped",
      "v.sql reapplied",
    ]);
    assertEquals(await count(datasource, "a"), 1);
    assertEquals(outcomes(await migrated(datasource, edited)), ["1.sql skipped", "v.sql skipped"]);
  });

  test("gives notice of a file out of order, not counting repeatable files", async (datasource) => {
    const old = {
      "1.sql": "CREATE TABLE a (id INT);",
      "3.sql": "INSERT INTO a VALUES (3);",
      "v.sql": "-- irori: repeatable\nDELETE FROM a;",
    };
    await migrated(datasource, old);
    const noticesOf = async (path: string) => {
      const all = { ...old, [path]: "INSERT INTO a VALUES (9);" };
      const tree = Object.fromEntries(Object.entries(all).sort());
      const { notices } = await inSession(datasource, previewRun, tree);
      return notices.map(({ file, message }) => `${file}: ${message}`);
    };
    assertEquals(await noticesOf("4.sql"), []);
    assertEquals(await noticesOf("2.sql"), [
      "2.sql: Out of order: it sorts before '3.sql', which was applied earlier",
    ]);
  });

  test("applies every edited file again with on_change: reapply", async () => {
    const migrations = { enabled: true, onChange: "reapply", placeholders: {} } as const;
    const datasource = await fixture.create({ migrations });
    await migrated(datasource, { "1.sql": "CREATE TABLE a (id INT);" });
    const report = await migrated(datasource, { "1.sql": "CREATE TABLE b (id INT);" });
    assertEquals(outcomes(report), ["1.sql reapplied"]);
    assertEquals(await count(datasource, "b"), 0);
  });

  test("stops at the first failure and goes on from there in the next run", async (datasource) => {
    const tree = {
      "1.sql": "CREATE TABLE a (id INT PRIMARY KEY);",
      "2.sql": "INSERT INTO nowhere VALUES (1);",
      "3.sql": "INSERT INTO a VALUES (3);",
    };
    const report = await migrate(datasource, tree);
    assertEquals(outcomes(report), ["1.sql applied", "2.sql failed", "3.sql not run"]);
    assertMatch(`${report.error?.message}`, /nowhere/);
    assertEquals(await states(datasource), [["1.sql", "applied", null]]);
    const repaired = await migrated(datasource, { ...tree, "2.sql": "INSERT INTO a VALUES (2);" });
    assertEquals(outcomes(repaired), ["1.sql skipped", "2.sql applied", "3.sql applied"]);
  });

  test("names the line and column of a syntax error", async (datasource) => {
    const text = "CREATE TABLE a (id INT);\n\n-- 😀\nINSERT INTO a\n  VALUEZ (1);\n";
    const error = await failing(MigrationFailedError, datasource, { "1.sql": text });
    assertEquals([error.line, error.source], [5, "  VALUEZ (1);"]);
    assertEquals(error.column, 3);
  });

  test("names the line of a statement that breaks a constraint", async (datasource) => {
    const text = "CREATE TABLE a (id INT PRIMARY KEY);\nINSERT INTO a VALUES (1);\n\n" +
      "INSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2);\n";
    const error = await failing(MigrationFailedError, datasource, { "1.sql": text });
    assertEquals([error.line, error.source], [4, "INSERT INTO a VALUES (1);"]);
    assertStringIncludes(error.message, "statement 3 of 4");
  });

  test("keeps nothing of a file that fails where it can", async (datasource) => {
    const tree = { "1.sql": "CREATE TABLE a (id INT);\nINSERT INTO nowhere VALUES (1);" };
    const error = await failing(MigrationFailedError, datasource, tree);
    if (fixture.transactional) {
      assertStringIncludes(error.message, "Nothing of the file is applied");
      assertEquals(await states(datasource), []);
      await migrated(datasource, { "1.sql": "CREATE TABLE a (id INT);" });
    } else {
      assertStringIncludes(error.message, "1 is applied");
      assertEquals(await states(datasource), [["1.sql", "partial", 1]]);
      await failing(InterruptedError, datasource, { "1.sql": "CREATE TABLE a (id INT);" });
    }
  });

  test("does a no-transaction file statement by statement, with how far it came", async (datasource) => {
    const head = "-- irori: no-transaction\n";
    const broken = {
      "1.sql":
        `${head}CREATE TABLE a (id INT);\nCREATE TABLE b (id INT);\nCREATE TABLE a (id INT);\n`,
    };
    const error = await failing(MigrationFailedError, datasource, broken);
    assertEquals(error.line, 4);
    assertStringIncludes(error.message, "statement 3 of 3");
    assertStringIncludes(error.message, "1 and 2 are applied");
    assertEquals(await states(datasource), [["1.sql", "partial", 2]]);
    const again = await failing(InterruptedError, datasource, broken);
    assertStringIncludes(again.message, "it stopped at statement 3 of 3, and 1 and 2 are applied");
  });

  test("takes a record back when nothing of a no-transaction file was applied", async (datasource) => {
    const head = "-- irori: no-transaction\n";
    await failing(MigrationFailedError, datasource, { "1.sql": `${head}DROP TABLE nowhere;` });
    assertEquals(await states(datasource), []);
    const repaired = { "1.sql": `${head}CREATE TABLE a (id INT);` };
    assertEquals(outcomes(await migrated(datasource, repaired)), ["1.sql applied"]);
    assertEquals(await states(datasource), [["1.sql", "applied", null]]);
  });

  test("keeps the last record when a repeatable no-transaction file fails at once", async (datasource) => {
    const head = "-- irori: no-transaction, repeatable\n";
    await migrated(datasource, { "1.sql": `${head}CREATE TABLE a (id INT);` });
    const before = await history(datasource);
    await failing(MigrationFailedError, datasource, { "1.sql": `${head}DROP TABLE nowhere;` });
    assertEquals(await history(datasource), before);
  });

  test("resolve records the result of a file that was cut off", async (datasource) => {
    const text = "-- irori: no-transaction\nCREATE TABLE a (id INT);\nDROP TABLE nowhere;";
    const tree = { "1.sql": text };
    await failing(MigrationFailedError, datasource, tree);
    assertEquals(await resolve(datasource, tree, "1.sql", "applied"), {
      file: "1.sql",
      known: "it stopped at statement 2, and 1 is applied",
      isPending: false,
    });
    assertEquals(await states(datasource), [["1.sql", "applied", null]]);
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped"]);

    const more = { ...tree, "2.sql": text.replaceAll(" a ", " b ") };
    await failing(MigrationFailedError, datasource, more);
    assertEquals((await resolve(datasource, more, "2.sql", "retry"))?.isPending, true);
    assertEquals(await resolve(datasource, more, "2.sql", "retry"), undefined);
    const repaired = { "1.sql": text, "2.sql": "CREATE TABLE c (id INT);" };
    assertEquals(outcomes(await migrated(datasource, repaired)), [
      "1.sql skipped",
      "2.sql applied",
    ]);
  });

  test("resolve --retry brings back the record of what was applied before", async (datasource) => {
    const head = "-- irori: no-transaction, repeatable\n";
    const tree = { "1.sql": `${head}CREATE TABLE a (id INT);` };
    await migrated(datasource, tree);
    const [before] = await history(datasource);
    const edited = { "1.sql": `${head}DROP TABLE a;\nDROP TABLE nowhere;` };
    await failing(MigrationFailedError, datasource, edited);
    const [partial] = await history(datasource);
    assertEquals([partial?.state, partial?.previous_hash], ["partial", before?.content_hash]);
    await resolve(datasource, edited, "1.sql", "retry");
    const [after] = await history(datasource);
    assertEquals([after?.state, after?.content_hash, after?.executed_at], [
      ...["applied", before?.content_hash, before?.executed_at],
    ]);
    assertEquals([after?.previous_hash, after?.previous_at], [null, null]);
  });

  test("refuses a no-transaction file that leaves its transaction open", async (datasource) => {
    await migrated(datasource, { "1.sql": "CREATE TABLE a (id INT);" });
    const text = "-- irori: no-transaction\nBEGIN;\nINSERT INTO a VALUES (1);";
    const tree = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": text };
    const error = await failing(MigrationFailedError, datasource, tree);
    if (fixture.hasNoSession) {
      assertStringIncludes(error.message, "BEGIN works on one connection, and here each statement");
      assertEquals(await states(datasource), [["1.sql", "applied", null]]);
      return;
    }
    assertStringIncludes(error.message, "starts a transaction and leaves it open");
    assertEquals(await count(datasource, "a"), 0);
    assertEquals(await states(datasource), [["1.sql", "applied", null]]);
    const closed = { ...tree, "2.sql": `${text}\nCOMMIT;` };
    assertEquals(outcomes(await migrated(datasource, closed)), ["1.sql skipped", "2.sql applied"]);
    assertEquals(await count(datasource, "a"), 1);
  });

  test("refuses a transactional file that ends its transaction, before anything is sent", async (datasource) => {
    for (const text of ["COMMIT;", "ROLLBACK;", "BEGIN; SELECT 1; COMMIT;"]) {
      const tree = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": `SELECT 1;\n${text}` };
      if (!fixture.transactional) {
        const other = await fixture.create();
        assertEquals((await migrated(other, tree)).results.length, 2);
        continue;
      }
      const error = await failing(InvalidFilesError, datasource, tree);
      assertMatch(error.message, /^main\/2\.sql:2:1: .*no-transaction/s);
    }
  });

  test("takes a table of the PHP framework over", async (datasource) => {
    await query(datasource, fixture.olderTable);
    await query(
      datasource,
      "INSERT INTO framework_migrations (migration_path, executed_at, executed_by) " +
        "VALUES ('1.sql', '2024-05-06 07:08:09', 'deploy')",
    );
    const tree = { "1.sql": "CREATE TABLE never (id INT);" };
    const notices: string[] = [];
    const onNotice = (message: string) => notices.push(message);
    const read = await inSession(datasource, async (session, files) => {
      return (await statusOf(session, files)).files;
    }, tree);
    assertEquals(read.map(({ state, executedAt }) => [state, executedAt?.toISOString()]), [
      ["applied", "2024-05-06T07:08:09.000Z"],
    ]);
    assertEquals(outcomes(await migrated(datasource, tree, { onNotice })), ["1.sql skipped"]);
    assertMatch(
      notices.join(),
      /^The table 'framework_migrations' has 1 of these files without a hash/,
    );
    const [old] = await history(datasource);
    const [file] = await filesOf(tree);
    assertEquals([old?.content_hash, old?.state, old?.connection], [
      file?.hash,
      "applied",
      datasource.name,
    ]);
    const more = { ...tree, "2.sql": "CREATE TABLE a (id INT);" };
    assertEquals(outcomes(await migrated(datasource, more, { onNotice })), [
      "1.sql skipped",
      "2.sql applied",
    ]);
    const edited = { ...more, "1.sql": "CREATE TABLE n (id INT);" };
    await failing(MigrationFailedError, datasource, edited, { onNotice });
    assertEquals(notices.length, 1);
  });

  test("takes a table of version 0.1.0 over, when there is something to apply", async (datasource) => {
    const names = "connection, migration_path, content_hash, executed_at, executed_by, duration_ms";
    const columns = "connection VARCHAR(190) NOT NULL, migration_path VARCHAR(400) NOT NULL, " +
      "content_hash VARCHAR(64), executed_at VARCHAR(40) NOT NULL, executed_by VARCHAR(255), " +
      "duration_ms INT, state VARCHAR(255) NOT NULL, statement INT";
    await query(
      datasource,
      `CREATE TABLE framework_migrations (${columns}, PRIMARY KEY (connection, migration_path))`,
    );
    const tree = { "1.sql": "CREATE TABLE never (id INT);", "2.sql": "SELECT 1; SELECT 2;" };
    const [first, second] = await filesOf(tree);
    for (
      const [path, hash, state] of [["1.sql", first?.hash, "applied"], [
        "2.sql",
        second?.hash,
        "failed",
      ]]
    ) {
      await query(
        datasource,
        `INSERT INTO framework_migrations (${names}, state, statement) VALUES ('main', '${path}', ` +
          `'${hash}', '2024-05-06 07:08:09.123', 'me', 1, '${state}', 1)`,
      );
    }
    const error = await failing(InterruptedError, datasource, tree);
    assertStringIncludes(error.message, "it stopped at statement 2 of 2, and 1 is applied");
    await resolve(datasource, tree, "2.sql", "applied");
    const more = { ...tree, "3.sql": "CREATE TABLE a (id INT);" };
    const report = await migrated(datasource, more);
    assertEquals(outcomes(report), ["1.sql skipped", "2.sql skipped", "3.sql applied"]);
    assertEquals((await history(datasource)).map(({ previous_hash }) => previous_hash), [
      ...[null, null, null],
    ]);
  });

  test("says so when the history table belongs to another program", async (datasource) => {
    await query(datasource, "CREATE TABLE framework_migrations (version INT)");
    const error = await failing(HistoryError, datasource, { "1.sql": "SELECT 1;" });
    assertMatch(error.message, /expected the column 'migration_path', found 'version'/);
  });

  test("waits for another run and says so when it waits for too long", async (datasource) => {
    await migrated(datasource, { "1.sql": "CREATE TABLE a (id INT);" });
    const tree = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": "CREATE TABLE b (id INT);" };
    await using holding = await fixture.hold(datasource);
    await failing(LockedError, datasource, tree, { lockTimeoutMs: 100 });
    const waiting = migrated(datasource, tree);
    await holding[Symbol.asyncDispose]();
    assertEquals(outcomes(await waiting), ["1.sql skipped", "2.sql applied"]);
  });

  test("applies each file once when several runs start together", async (datasource) => {
    const tree: Record<string, string> = { "0.sql": "CREATE TABLE a (id INT);" };
    for (let i = 1; i < 8; i++) tree[`${i}.sql`] = `INSERT INTO a VALUES (${i});`;
    tree["8.sql"] =
      "-- irori: no-transaction\nINSERT INTO a VALUES (8);\nINSERT INTO a VALUES (9);";
    const reports = await Promise.all([1, 2, 3].map(() => migrated(datasource, tree)));
    assertEquals(await count(datasource, "a"), 9);
    const applied = reports.flatMap(({ results }) => results)
      .filter(({ outcome }) => outcome === "applied").map(({ file }) => file);
    assertEquals(applied.sort(), Object.keys(tree));
  });

  test("gives every file a session as new", async (datasource) => {
    const tree = { "1.sql": fixture.leaving, "2.sql": fixture.minding };
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql applied", "2.sql applied"]);
  });

  test("takes empty files, files of comments, and marks at their start", async (datasource) => {
    const tree = {
      "1.sql": "",
      "2.sql": "-- nothing\n/* at all */\n;;\n",
      "3.sql": "\ufeffCREATE TABLE a (id INT);",
      "4.sql": "-- irori: no-transaction\r\n-- nothing\r\n",
    };
    await migrated(datasource, tree);
    assertEquals((await states(datasource)).length, 4);
    assertEquals(await count(datasource, "a"), 0);
  });

  test("keeps characters of every plane, in text and in names of files", async () => {
    const datasource = await fixture.create({ name: "it's \\ 😀" });
    const tree = {
      "1.sql": "CREATE TABLE a (t VARCHAR(40));\r\nINSERT INTO a VALUES ('é 😀 ''q'' ok');\r\n",
      "o'clock \\ 😀.sql": "INSERT INTO a VALUES ('second');",
    };
    await migrated(datasource, tree);
    const rows = await query(datasource, "SELECT t FROM a");
    assertEquals(rows.map(({ t }) => t).sort(), ["second", "é 😀 'q' ok"]);
    assertEquals(outcomes(await migrated(datasource, tree)).every((o) => /skipped$/.test(o)), true);
    assertEquals((await history(datasource))[1]?.migration_path, "o'clock \\ 😀.sql");
  });

  test("fills placeholders in, and shows their names instead of values", async () => {
    const placeholders = { table: "a_rather_long_name", value: "1" };
    const migrations = { enabled: true, onChange: "fail", placeholders } as const;
    const datasource = await fixture.create({ migrations });
    const text = "CREATE TABLE ${table} (id INT);\nINSERT INTO ${table} VALUES (${value});";
    await migrated(datasource, { "1.sql": text });
    assertEquals(await count(datasource, "a_rather_long_name"), 1);
    const { steps } = await inSession(datasource, previewRun, { "1.sql": text, "2.sql": text });
    assertEquals(steps.map(({ file, requests }) => [file, requests]), [
      ["2.sql", ["CREATE TABLE ${table} (id INT)", "INSERT INTO ${table} VALUES (${value})"]],
    ]);
    const broken = { "1.sql": text, "2.sql": "INSERT INTO ${table}  VALUEZ (1);" };
    const error = await failing(MigrationFailedError, datasource, broken);
    assertEquals([error.line, error.column, error.source], [1, 23, broken["2.sql"]]);
  });

  test("baseline records files without applying them, and the journal lists every record", async (datasource) => {
    const tree = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": "CREATE TABLE a (id INT);" };
    await inSession(datasource, async (session, files) => {
      assertEquals(await session.journal.list(), new Map());
      assertEquals(await baseline(session, files), ["1.sql", "2.sql"]);
      assertEquals(await baseline(session, files), []);
      const entries = [...(await session.journal.list()).values()];
      assertEquals(entries.map(({ path, applied }) => [path, applied?.hash]), [
        ...files.map(({ path, hash }) => [path, hash]),
      ]);
      const now = Date.now();
      assert(
        entries.every(({ applied }) => Math.abs(now - applied!.executedAt.getTime()) < 60_000),
      );
    }, tree);
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped", "2.sql skipped"]);
    const edited = { ...tree, "2.sql": "CREATE TABLE b (id INT);" };
    await inSession(datasource, async (session, files) => {
      assertEquals(await baseline(session, files, { changed: "2.sql" }), ["2.sql"]);
    }, edited);
    assertEquals(outcomes(await migrated(datasource, edited)), ["1.sql skipped", "2.sql skipped"]);
  });

  if (!fixture.hasOneSession) {
    test("writes nothing over what another run has written", async (datasource) => {
      const tree = {
        "1.sql": "CREATE TABLE a (id INT);",
        "2.sql": "SELECT 1;",
        "3.sql": "SELECT 1;",
      };
      await migrated(datasource, { "1.sql": tree["1.sql"], "2.sql": tree["2.sql"] });
      await inSession(datasource, async ({ journal }, files) => {
        const state = await journal.read(Object.keys(tree));
        await journal.lock(state, () => Promise.resolve(new Map()));
        const set = "UPDATE framework_migrations SET state = 'running' WHERE migration_path = ";
        await query(datasource, `${set}'1.sql'`);
        await query(
          datasource,
          "UPDATE framework_migrations SET content_hash = 'other' WHERE migration_path = '2.sql'",
        );
        await query(
          datasource,
          "INSERT INTO framework_migrations (connection, migration_path, executed_at, state) " +
            `VALUES ('${datasource.name}', '3.sql', '2024-05-06 07:08:09', 'running')`,
        );
        const before = await history(datasource);
        for (const { path, hash } of files) {
          const applied = { hash, executedAt: new Date() };
          for (
            const entry of path === "3.sql" ? [{ path, applied }] : [{ path, applied }, { path }]
          ) {
            const error = await assertRejects(() => journal.write([entry]), LockedError);
            assertMatch(
              error.message,
              /^The record of '\d\.sql' is not as it was read or written: another run/,
            );
          }
        }
        assertEquals(await history(datasource), before);
      }, tree);
    });
  }

  test("keeps the records of two connections to one database apart", async (datasource) => {
    const other: Datasource = { ...datasource, name: "other" };
    await migrated(datasource, { "1.sql": "CREATE TABLE a (id INT);" });
    await migrated(other, { "1.sql": "CREATE TABLE b (id INT);" });
    assertEquals(await count(datasource, "b"), 0);
    assertEquals(
      (await history(datasource)).map(({ connection }) => connection).sort(),
      [
        datasource.name,
        "other",
      ].sort(),
    );
  });
}
