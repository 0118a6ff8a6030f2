import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { crc32 } from "node:zlib";
import { adopt, type AdoptOptions } from "../../../src/features/adopt/adopt.ts";
import {
  HistoryError,
  InvalidFilesError,
  previewRun,
  statusOf,
} from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as mysql from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import * as sqlite from "../../migrations/sql/sqlite_support.ts";
import {
  failing,
  filesOf,
  inSession,
  migrate,
  migrated,
  outcomes,
} from "../../migrations/sql/support.ts";

const A = "CREATE TABLE a (n INT);\n";
const B = "CREATE TABLE b (n INT);\n";
const C = "CREATE TABLE c (n INT);\n";
const FILES = { "V1__a.sql": A, "V2__b.sql": B, "V3__c.sql": C };

/** The table of Flyway with rows of its versions 1 and 2. */
const flyway = (checksums: readonly number[], more: readonly string[] = []) => [
  A,
  B,
  `CREATE TABLE flyway_schema_history (installed_rank INT NOT NULL PRIMARY KEY, version VARCHAR(50),
    description VARCHAR(200) NOT NULL, type VARCHAR(20) NOT NULL, script VARCHAR(1000) NOT NULL,
    checksum INTEGER, installed_by VARCHAR(100) NOT NULL, installed_on TIMESTAMP NOT NULL,
    execution_time INTEGER NOT NULL, success BOOLEAN NOT NULL)`,
  ...checksums.map((checksum, index) =>
    `INSERT INTO flyway_schema_history VALUES (${index + 1}, '${index + 1}', 'x', 'SQL', ` +
    `'V${index + 1}__${"ab"[index]}.sql', ${checksum}, 'deploy', '2026-01-02 03:04:05', 7, true)`
  ),
  ...more,
];
const APPLIED = flyway([A, B].map((sql) => crc32(sql.trimEnd()) | 0));

const DATABASES = [
  { name: "SQLite", support: sqlite, missing: undefined },
  { name: "PostgreSQL", support: postgresql, missing: postgresql.postgresqlMissing },
  { name: "MariaDB", support: mysql, missing: mysql.mysqlMissing },
] as const;

for (const { name, support, missing } of DATABASES) {
  const test = (title: string, body: (datasource: Datasource) => Promise<void>) =>
    Deno.test({
      name: `adopt on ${name} ${title}`,
      ignore: missing !== undefined,
      fn: async () => {
        try {
          await body(await support.create());
        } finally {
          await support.cleanUp();
        }
      },
    });
  /** Runs statements as another tool does. */
  const prepare = async (datasource: Datasource, statements: readonly string[]) => {
    for (const sql of statements) await support.query(datasource, sql);
  };
  const tables = async (datasource: Datasource) => {
    const { rows } = await inSession(datasource, async (session) => {
      const list = await session.journal.list();
      return { rows: [...list.keys()].sort() };
    });
    return rows;
  };

  test("records what Flyway has applied, and the next run applies the rest", async (datasource) => {
    await prepare(datasource, APPLIED);
    const first = await adopted(datasource, FILES, { dryRun: true });
    assertEquals(states(first), ["V1__a.sql adopted", "V2__b.sql adopted"]);
    assertEquals([first.pending, first.isRecorded], [["V3__c.sql"], false]);
    assertEquals(await tables(datasource), [], "a dry run records nothing");

    const second = await adopted(datasource, FILES);
    assertEquals([states(second), second.isRecorded], [states(first), true]);
    const [entry] = await support.query(
      datasource,
      "SELECT executed_by, duration_ms, executed_at FROM framework_migrations ORDER BY migration_path",
    );
    assertEquals([entry?.executed_by, Number(entry?.duration_ms)], ["Flyway: deploy", 7]);
    const report = await migrated(datasource, FILES);
    assertEquals(outcomes(report), ["V1__a.sql skipped", "V2__b.sql skipped", "V3__c.sql applied"]);

    const again = await adopted(datasource, FILES);
    assertEquals([states(again), again.isRecorded], [
      ["V1__a.sql known", "V2__b.sql known"],
      false,
    ]);
    assertEquals(
      (await support.query(datasource, "SELECT * FROM flyway_schema_history")).length,
      2,
    );
  });

  test("refuses an edited file with both checksums, and records nothing", async (datasource) => {
    await prepare(datasource, APPLIED);
    const found = await adopted(datasource, { ...FILES, "V2__b.sql": "SELECT 1;" });
    assertEquals(states(found), ["V1__a.sql adopted", "V2__b.sql differs"]);
    assertEquals(found.rows[1]?.reason, [
      `applied  ${crc32(B.trimEnd()) | 0}`,
      `now      ${crc32("SELECT 1;") | 0}`,
    ]);
    assertEquals(found.pending, ["V3__c.sql"], "a file stands once in what is shown");
    assertMatch(found.refused!.message, /1 file has changed since Flyway/);
    assertEquals(await tables(datasource), []);
  });

  test("refuses a history with a failed row", async (datasource) => {
    const failed = "INSERT INTO flyway_schema_history VALUES " +
      "(3, '3', 'x', 'SQL', 'V3__c.sql', 1, 'deploy', '2026-01-02 03:04:05', 7, false)";
    await prepare(datasource, [...APPLIED, failed]);
    const found = await adopted(datasource, FILES);
    assertEquals(states(found).at(-1), "V3__c.sql failed");
    assertEquals(found.pending, []);
    assertMatch(found.refused!.message, /Flyway has recorded that a migration failed/);
    assertEquals(await tables(datasource), []);
  });

  test("refuses a history that fits no file", async (datasource) => {
    await prepare(datasource, APPLIED);
    const found = await adopted(datasource, { "0001.sql": A });
    assertEquals(states(found), ["V1__a.sql missing", "V2__b.sql missing"]);
    assertMatch(found.refused!.message, /no file here belongs to a row of the table/);
    assertEquals([await tables(datasource), found.pending], [[], ["0001.sql"]]);
  });

  test("refuses files that are recorded with another content", async (datasource) => {
    await migrated(datasource, { "V1__a.sql": "SELECT 1;" });
    await prepare(datasource, APPLIED);
    const found = await adopted(datasource, FILES);
    assertEquals(states(found), ["V1__a.sql conflict", "V2__b.sql adopted"]);
    assertMatch(
      found.refused!.message,
      /already recorded with other content: .*baseline --changed/,
    );
    assertEquals(await tables(datasource), ["V1__a.sql"]);
  });

  test("refuses a file with a way down, as it would run on a new database", async (datasource) => {
    await prepare(datasource, [
      A,
      "CREATE TABLE schema_migrations (version VARCHAR(128) PRIMARY KEY)",
      "INSERT INTO schema_migrations VALUES ('1')",
    ]);
    const error = await assertRejects(
      () => adopted(datasource, { "1_a.sql": `${A}-- migrate:down\nDROP TABLE a;` }),
      InvalidFilesError,
    );
    assertStringIncludes(error.message, "adopt --write");
    assertEquals(await tables(datasource), []);
    const fine = await adopted(datasource, { "1_a.sql": A });
    assertEquals([states(fine), fine.notices.length], [["1 adopted"], 1]);
    assertMatch(fine.notices[0]!.message, /stored no checksum for 1 file/);
  });

  test("refuses a file that only takes something back, also one that no row is of", async (datasource) => {
    await prepare(datasource, APPLIED);
    for (const path of ["V2/down.sql", "V2__b.down.sql", "U2__b.sql"]) {
      const error = await assertRejects(
        () => adopted(datasource, { ...FILES, [path]: "DROP TABLE b;" }, { dryRun: true }),
        InvalidFilesError,
      );
      assertEquals(error.problems.map((problem) => problem.path), [path]);
    }
    assertEquals(await tables(datasource), []);
  });

  test("takes SQL_BASELINE for the files up to it, so they are not applied again", async (datasource) => {
    const rows = [
      "INSERT INTO flyway_schema_history VALUES " +
      "(1, '2', 'all', 'SQL_BASELINE', 'B2__all.sql', 123, 'deploy', '2026-01-02 03:04:05', 7, true)",
    ];
    await prepare(datasource, flyway([], rows));
    const found = await adopted(datasource, FILES);
    assertEquals(states(found), [
      ...[
        "V1__a.sql (baseline 2) adopted",
        "V2__b.sql (baseline 2) adopted",
        "B2__all.sql missing",
      ],
    ]);
    assertEquals([found.refused, found.pending], [undefined, ["V3__c.sql"]]);
    const report = await migrated(datasource, FILES);
    assertEquals(outcomes(report), ["V1__a.sql skipped", "V2__b.sql skipped", "V3__c.sql applied"]);
  });

  test("lets the next run begin where all files come after the baseline", async (datasource) => {
    const rows = [
      "INSERT INTO flyway_schema_history VALUES " +
      "(1, '2', 'x', 'BASELINE', 'x', NULL, 'deploy', '2026-01-02 03:04:05', 0, true)",
    ];
    const after = { "V3__c.sql": C };
    await prepare(datasource, flyway([], rows));
    await adopted(datasource, after, { dryRun: true });
    await failing(HistoryError, datasource, after);
    const found = await adopted(datasource, after);
    assertEquals([found.rows, found.pending, found.refused], [[], ["V3__c.sql"], undefined]);
    assertEquals(outcomes(await migrated(datasource, after)), ["V3__c.sql applied"]);
    assertMatch(
      (await adopted(datasource, { "1.sql": A })).refused!.message,
      /no file here belongs/,
    );
  });

  test("leaves an edited repeatable file to the next run, before and after it is recorded", async (datasource) => {
    const view = (n: number) =>
      `-- irori: repeatable\nDROP VIEW IF EXISTS v;\nCREATE VIEW v AS SELECT ${n} AS n;\n`;
    await prepare(datasource, [
      ...APPLIED,
      "INSERT INTO flyway_schema_history VALUES " +
      "(3, NULL, 'v', 'SQL', 'R__v.sql', 1, 'deploy', '2026-01-02 03:04:05', 7, true)",
    ]);
    const edited = { "R__v.sql": view(1), ...FILES };
    const found = await adopted(datasource, edited);
    assertEquals([found.refused, found.pending], [undefined, ["R__v.sql", "V3__c.sql"]]);
    assertEquals(outcomes(await migrated(datasource, edited)), [
      ...["R__v.sql applied", "V1__a.sql skipped", "V2__b.sql skipped", "V3__c.sql applied"],
    ]);
    const again = { "R__v.sql": view(2), ...FILES };
    assertEquals((await adopted(datasource, again)).refused, undefined);
    assertEquals(outcomes(await migrated(datasource, again))[0], "R__v.sql reapplied");
  });

  test("twice at once ends well, and records it once", async (datasource) => {
    await prepare(datasource, APPLIED);
    const found = await Promise.all([1, 2, 3].map(() => adopted(datasource, FILES)));
    assertEquals(found.map(({ refused }) => refused), [undefined, undefined, undefined]);
    assertEquals(found.filter(({ isRecorded }) => isRecorded).length, 1);
    for (const one of found) assertEquals(states(one).length, 2);
    assertEquals(await tables(datasource), ["V1__a.sql", "V2__b.sql"]);
  });

  test("records a file that could not be applied here, and says so", async (datasource) => {
    const broken = "SELECT 'no end";
    await prepare(datasource, flyway([A, broken].map((sql) => crc32(sql.trimEnd()) | 0)));
    const found = await adopted(datasource, { ...FILES, "V2__b.sql": broken });
    assertEquals([states(found).at(-1), found.isRecorded], ["V2__b.sql adopted", true]);
    assertEquals(found.notices.map(({ file }) => file), ["V2__b.sql"]);
    assertMatch(
      found.notices[0]!.message,
      /cannot be applied to a new database \(line 1, column 8\)/,
    );
  });

  test("stops the first run beside another history, and says the ways out", async (datasource) => {
    await prepare(datasource, APPLIED);
    const error = await failing(HistoryError, datasource, FILES);
    assertMatch(error.message, /history of Flyway \(the table 'flyway_schema_history'\)/);
    assertMatch(error.message, /adopt --dry-run[^]*baseline --until[^]*adopt --from none/);
    const planned = inSession(
      datasource,
      async (session) => await previewRun(session, await filesOf(FILES)),
    );
    await assertRejects(() => planned, HistoryError);
    assertEquals(await tables(datasource), []);
    await adopted(datasource, {}, { from: "none" });
    const report = await migrated(datasource, { "1.sql": C });
    assertEquals(outcomes(report), ["1.sql applied"]);
  });

  test("stops later runs while a row's file has no record, until 'adopt' or '--from none'", async (datasource) => {
    await prepare(datasource, APPLIED);
    // As where its records were cut off in the middle.
    await adopted(datasource, { "V1__a.sql": A });
    const error = await failing(HistoryError, datasource, FILES);
    assertMatch(error.message, /have no record here are applied according to .*Flyway[^]*'adopt'/);
    assertEquals(await tables(datasource), ["V1__a.sql"]);
    const planned = inSession(
      datasource,
      async (session) => await previewRun(session, await filesOf(FILES)),
    );
    await assertRejects(() => planned, HistoryError);
    await adopted(datasource, FILES);
    assertEquals(outcomes(await migrated(datasource, FILES)).at(-1), "V3__c.sql applied");
  });

  test("--from none gives its lock back when it cannot write", async (datasource) => {
    await migrated(datasource, { "0.sql": C });
    const index = "CREATE UNIQUE INDEX one_owner ON framework_migrations (executed_by)";
    await support.query(datasource, index);
    await inSession(datasource, async (session) => {
      await assertRejects(() => adopt(session, [], { from: "none" }), Error, "--from none");
      await support.query(datasource, "DELETE FROM framework_migrations");
      const beside = [{ lockTimeoutMs: 200 }, { yes: true }] as const;
      const { error } = await migrate(datasource, { "1.sql": A }, ...beside);
      assertEquals(error, undefined);
    });
  });

  test("--from none holds for later runs too, and is no file", async (datasource) => {
    await prepare(datasource, APPLIED);
    await adopted(datasource, {}, { from: "none" });
    await adopted(datasource, {}, { from: "none" });
    assertEquals(
      outcomes(await migrated(datasource, { "V1__a.sql": "SELECT 1;" })),
      ["V1__a.sql applied"],
    );
    const tree = { "V1__a.sql": "SELECT 1;", "V2__b.sql": "SELECT 2;" };
    assertEquals(outcomes(await migrated(datasource, tree)).at(-1), "V2__b.sql applied");
    const status = await inSession(
      datasource,
      async (session) => await statusOf(session, await filesOf(tree)),
    );
    assertEquals(status.files.map(({ file }) => file), Object.keys(tree));
  });

  test("asks for a history where a run was cut off before its first record", async (datasource) => {
    await prepare(datasource, APPLIED);
    await inSession(datasource, async (session) => {
      await session.journal.lock(await session.journal.read([]), () => Promise.resolve(new Map()));
    });
    await failing(HistoryError, datasource, FILES);
  });

  test("records Flyway's file for empty databases, whatever its version", async (datasource) => {
    await prepare(datasource, APPLIED);
    const tree = { "B3__all.sql": `${A}${B}${C}`, ...FILES };
    const found = await adopted(datasource, tree);
    assertEquals([states(found)[0], found.pending], [
      "B3__all.sql (baseline file; database is at version 2) adopted",
      ["V3__c.sql"],
    ]);
    assertEquals(outcomes(await migrated(datasource, tree)).at(-1), "V3__c.sql applied");
  });

  test("does not mind an empty history, and asks for none once a run was here", async (datasource) => {
    await prepare(datasource, flyway([]).slice(2));
    assertEquals((await migrate(datasource, { "1.sql": A })).error, undefined);
    await prepare(datasource, APPLIED.slice(3).map((sql) => sql));
    assertEquals((await migrate(datasource, { "1.sql": A, "2.sql": C })).error, undefined);
  });

  test("tells the owners of 'schema_migrations' apart", async (datasource) => {
    const found = async () =>
      await inSession(datasource, async (session) => {
        return (await session.foreign!()).histories.map(({ id, isEmpty }) => `${id} ${isEmpty}`);
      });
    assertEquals(await found(), []);
    await prepare(datasource, [
      "CREATE TABLE schema_migrations (version VARCHAR(128) PRIMARY KEY)",
    ]);
    assertEquals(await found(), ["dbmate true"]);
    await prepare(datasource, ["CREATE TABLE ar_internal_metadata (id INT)"]);
    assertEquals(await found(), ["rails true"]);
    await prepare(datasource, [
      "DROP TABLE schema_migrations",
      "CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, dirty BOOLEAN NOT NULL)",
      "INSERT INTO schema_migrations VALUES (2, false)",
    ]);
    assertEquals(await found(), ["golang-migrate false"]);
  });

  test("asks for the tool where there are several histories", async (datasource) => {
    await prepare(datasource, [
      ...APPLIED,
      "CREATE TABLE schema_migrations (version VARCHAR(128) PRIMARY KEY)",
      "INSERT INTO schema_migrations VALUES ('1')",
      "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)",
      "INSERT INTO alembic_version VALUES ('ae1027a6acf')",
    ]);
    const several = await assertRejects(() => adopted(datasource, FILES), HistoryError);
    assertMatch(several.message, /'flyway' .*'dbmate' .*'alembic' .*'--from <tool>'/);
    const other = await assertRejects(
      () => adopted(datasource, FILES, { from: "knex" }),
      HistoryError,
    );
    assertMatch(other.message, /no history of 'knex'/);
    const alembic = { from: "alembic" };
    const position = await assertRejects(() => adopted(datasource, FILES, alembic), HistoryError);
    assertMatch(position.message, /Alembic[^]*baseline --until <file>/);
    assertEquals(states(await adopted(datasource, FILES, { from: "flyway" })).length, 2);
  });
}

Deno.test("adopt warns of files that the other tool applies in another order", async () => {
  const datasource = await sqlite.create();
  for (const sql of APPLIED) await sqlite.query(datasource, sql);
  const tree = Object.fromEntries(
    [
      "R__v.sql",
      "V10__d.sql",
      "V1__a.sql",
      "V1a.sql",
      "V2__b.sql",
      "V3.1__e.sql",
      "V3__c.sql",
      "z/R__w.sql",
    ]
      .map((path) => [path, { "V1__a.sql": A, "V2__b.sql": B }[path] ?? "SELECT 1;"]),
  );
  const { notices, pending } = await adopted(datasource, tree);
  assertEquals(pending.length, 6);
  assertEquals(notices.map(({ file, message }) => [file, /before '(.*?)'/.exec(message)?.[1]]), [
    ["V10__d.sql", "V1__a.sql"],
    ["R__v.sql", "V10__d.sql"],
    ["V3.1__e.sql", "V3__c.sql"],
  ]);
  const status = await inSession(
    datasource,
    async (session) => await statusOf(session, await filesOf(FILES)),
  );
  assertEquals(status.files.map(({ state }) => state), ["applied", "applied", "pending"]);
});

Deno.test("adopt warns of them also where a file without a version is between them", async () => {
  const datasource = await sqlite.create();
  for (const sql of APPLIED) await sqlite.query(datasource, sql);
  const tree = { "V10__d.sql": A, "V1__a.sql": A, "V1x.sql": A, "V2__b.sql": B };
  const { notices } = await adopted(datasource, { ...tree, "V3__c.sql": C });
  assertEquals(notices.map(({ file, message }) => [file, /before '(.*?)'/.exec(message)?.[1]]), [
    ["V10__d.sql", "V1__a.sql"],
  ]);
});

Deno.test({
  name: "a history in another schema stops the first run in 'public' where files are its files",
  ignore: postgresql.postgresqlMissing !== undefined,
  fn: async () => {
    try {
      const datasource = await postgresql.create();
      await postgresql.query(
        datasource,
        ["CREATE SCHEMA x", "SET search_path = x", ...APPLIED].join(";\n"),
      );
      const error = await failing(HistoryError, datasource, FILES);
      assertMatch(error.message, /history of Flyway \(the table 'x\.flyway_schema_history'\)/);
      const elsewhere = await assertRejects(() => adopted(datasource, FILES), HistoryError);
      assertMatch(elsewhere.message, /another schema.*currentSchema.*--from flyway/);
      const from = await adopted(datasource, FILES, { from: "flyway", dryRun: true });
      assertEquals(states(from), ["V1__a.sql adopted", "V2__b.sql adopted"]);
      // As the histories that platforms have of their own.
      assertEquals((await adopted(datasource, { "1.sql": C })).tool, undefined);
      assertEquals((await migrate(datasource, { "1.sql": C })).error, undefined);
    } finally {
      await postgresql.cleanUp();
    }
  },
});

Deno.test({
  name: "a history that the user may not read stops the first run, with the way out",
  ignore: postgresql.postgresqlMissing !== undefined,
  fn: async () => {
    try {
      const datasource = await postgresql.create();
      const username = `reader_${datasource.database}`;
      for (
        const sql of [
          ...APPLIED,
          `CREATE ROLE ${username} LOGIN PASSWORD 'secret'`,
          `GRANT ALL ON SCHEMA public TO ${username}`,
        ]
      ) await postgresql.query(datasource, sql);
      try {
        const limited = { ...datasource, username };
        const error = await failing(HistoryError, limited, FILES);
        assertMatch(error.message, /may be a history of Flyway .*no right to read/);
        const refused = await assertRejects(() => adopted(limited, FILES), HistoryError);
        assertMatch(refused.message, /no right to read the table 'flyway_schema_history'/);
        await adopted(limited, FILES, { from: "none" });
        assertEquals(outcomes(await migrated(limited, { "9.sql": C })), ["9.sql applied"]);
      } finally {
        await postgresql.query(datasource, `DROP OWNED BY ${username}`);
        await postgresql.query(datasource, `DROP ROLE ${username}`);
      }
    } finally {
      await postgresql.cleanUp();
    }
  },
});

Deno.test("adopt finds the histories of the other tools by what their tables look like", async () => {
  const datasource = await sqlite.create();
  for (
    const sql of [
      "CREATE TABLE DATABASECHANGELOG (ID TEXT, AUTHOR TEXT, FILENAME TEXT, MD5SUM TEXT)",
      "CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY, version_id INT, is_applied INT)",
      "INSERT INTO goose_db_version VALUES (1, 0, 1)",
      "CREATE TABLE __drizzle_migrations (id INTEGER, hash TEXT, created_at NUMERIC)",
      "CREATE TABLE kysely_migration (name TEXT, timestamp TEXT)",
      "CREATE TABLE SequelizeMeta (name TEXT)",
      "CREATE TABLE migrations (id INTEGER, timestamp BIGINT, name TEXT)",
      "CREATE TABLE mikro_orm_migrations (id INTEGER, name TEXT, executed_at TEXT)",
      "CREATE TABLE _sqlx_migrations (version BIGINT, description TEXT, checksum BLOB)",
      "CREATE TABLE pgmigrations (id INTEGER, name TEXT, run_on TEXT)",
      "CREATE TABLE knex_migrations (id INTEGER, name TEXT, batch INT, migration_time TEXT)",
      "CREATE TABLE _prisma_migrations (id TEXT, checksum TEXT, finished_at TEXT, " +
      "migration_name TEXT, logs TEXT, rolled_back_at TEXT, started_at TEXT, applied_steps_count INT)",
      "CREATE TABLE schema_version (id INTEGER)",
    ]
  ) await sqlite.query(datasource, sql);
  const { histories: found } = await inSession(datasource, (session) => session.foreign!());
  assertEquals(found.map(({ id }) => id), [
    ...["node-pg-migrate", "knex", "prisma", "drizzle", "goose", "sqlx", "kysely", "mikro-orm"],
    ...["liquibase", "umzug", "typeorm"],
  ]);
  assertEquals(found.every(({ isEmpty }) => isEmpty), true);
});

async function adopted(
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  options: AdoptOptions = {},
) {
  return await inSession(
    datasource,
    async (session) => await adopt(session, await filesOf(tree), options),
  );
}

function states({ rows }: Awaited<ReturnType<typeof adopted>>): string[] {
  return rows.map(({ name, state }) => `${name} ${state}`);
}
