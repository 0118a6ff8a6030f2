/** Tests a first run in a database that is not empty. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { crc32 } from "node:zlib";
import { createHash } from "node:crypto";
import { adopt, type AdoptOptions } from "../../../../src/features/adopt/adopt.ts";
import {
  baseline,
  HistoryError,
  previewRun,
  statusOf,
} from "../../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../../src/migrations/sql/mod.ts";
import * as mysql from "../mysql_support.ts";
import * as postgresql from "../postgresql_support.ts";
import * as sqlite from "../sqlite_support.ts";
import { databaseTest, failing, inSession, migrate, migrated, outcomes } from "../support.ts";
import { libsql, pglite } from "../using_support.ts";

const ENGINES = {
  SQLite: [sqlite, undefined],
  libSQL: [libsql, undefined],
  PGlite: [pglite, undefined],
  PostgreSQL: [postgresql, postgresql.postgresqlMissing],
  MariaDB: [mysql, mysql.mysqlMissing],
} as const;
Deno.test.afterAll(() => pglite.close());

const TREE = { "1.sql": "CREATE TABLE a (n INT)", "2.sql": "INSERT INTO a VALUES (1)" };

type Support = Pick<typeof sqlite, "create" | "query" | "cleanUp">;

function onEach(name: string, body: (support: Support, datasource: Datasource) => Promise<void>) {
  for (const [engine, [support, missing]] of Object.entries(ENGINES)) {
    databaseTest(`a first run on ${engine} ${name}`, support, missing, (datasource) => {
      return body(support, datasource);
    });
  }
}

async function prepare({ query }: Support, datasource: Datasource, statements: readonly string[]) {
  for (const sql of statements) await query(datasource, sql);
}

const take = (
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  options: AdoptOptions = {},
) => inSession(datasource, (session, files) => adopt(session, files, options), tree);

onEach("has a status that names the history of another tool", async (support, datasource) => {
  await prepare(support, datasource, [
    "CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, dirty BOOLEAN NOT NULL)",
    "INSERT INTO schema_migrations VALUES (1, FALSE)",
  ]);
  const status = () => inSession(datasource, statusOf, TREE);
  assertMatch(`${(await status()).otherHistory}`, /^golang-migrate \(the table '.*'\)$/);
  await take(datasource, TREE, { from: "none" });
  assertEquals((await status()).otherHistory, undefined);
});

onEach("stops beside a table that no file makes, as 'plan' does", async (support, datasource) => {
  await prepare(support, datasource, ["CREATE TABLE users (n INT)", "CREATE TABLE a (n INT)"]);
  const error = await failing(HistoryError, datasource, TREE);
  assertMatch(error.message, /has tables that no file here creates, 'users': nothing was applied/);
  assertMatch(error.message, /baseline --until[^]*adopt --table[^]*migrate --yes.*yes: true/);
  const planned = () => inSession(datasource, previewRun, TREE);
  assertEquals((await assertRejects(planned, HistoryError)).message, error.message);
  // The same again: nothing that the first one left is taken for a history.
  assertEquals((await failing(HistoryError, datasource, TREE)).message, error.message);
});

onEach("goes on with 'yes', and later runs do without", async (support, datasource) => {
  await prepare(support, datasource, ["CREATE TABLE users (n INT)"]);
  const { steps } = await inSession(
    datasource,
    (session, files) => previewRun(session, files, { yes: true }),
    TREE,
  );
  assertEquals(steps.length, 2);
  assertEquals(outcomes(await migrate(datasource, TREE, {}, { yes: true })), [
    ...["1.sql applied", "2.sql applied"],
  ]);
  const more = { ...TREE, "3.sql": "CREATE TABLE c (n INT)" };
  assertEquals(outcomes(await migrated(datasource, more)).at(-1), "3.sql applied");
});

onEach("goes on after 'baseline' and after 'adopt --from none'", async (support, datasource) => {
  await prepare(support, datasource, ["CREATE TABLE a (n INT)", "CREATE TABLE users (n INT)"]);
  await inSession(
    datasource,
    (session, files) => baseline(session, files, { until: "1.sql" }),
    TREE,
  );
  assertEquals(outcomes(await migrated(datasource, TREE)), ["1.sql skipped", "2.sql applied"]);
  await prepare(support, datasource, ["DELETE FROM framework_migrations", "DROP TABLE a"]);
  await take(datasource, TREE, { from: "none" });
  assertEquals(outcomes(await migrated(datasource, TREE)), ["1.sql applied", "2.sql applied"]);
});

onEach("goes on beside what files make, and what the library made", async (support, datasource) => {
  await prepare(support, datasource, [
    ...["irori_ticks", "irori_idempotency_keys", "old", "d"]
      .map((name) => `CREATE TABLE ${name} (n INT)`),
  ]);
  const tree = {
    "1.sql": "CREATE TABLE IF NOT EXISTS old (n INT); CREATE TABLE e (n INT);",
    "2.sql": "ALTER TABLE e RENAME TO f; CREATE TABLE IF NOT EXISTS D (n INT);",
  };
  assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql applied", "2.sql applied"]);
});

onEach(
  "goes on after a first run that failed, and beside another connection",
  async (_, datasource) => {
    const failing = {
      "1.sql": "CREATE TABLE a (n INT); CREATE TABLE b (n INT);",
      "2.sql": "SELECT x",
    };
    assertEquals(outcomes(await migrate(datasource, failing)), ["1.sql applied", "2.sql failed"]);
    const fixed = { ...failing, "2.sql": "SELECT 1" };
    assertEquals(outcomes(await migrated(datasource, fixed)), ["1.sql skipped", "2.sql applied"]);
    const other = { ...datasource, name: "other" };
    const tree = { "1.sql": "CREATE TABLE c (n INT)" };
    assertEquals(outcomes(await migrated(other, tree)), ["1.sql applied"]);
  },
);

onEach("stops where the connection was renamed, but not where two share", async (_, datasource) => {
  const shared = { "0.sql": "SELECT 1" };
  const tree = { ...shared, "1.sql": "CREATE TABLE IF NOT EXISTS a (n INT)" };
  await migrated(datasource, tree);
  const renamed = { ...datasource, name: "renamed" };
  const more = { ...tree, "2.sql": "CREATE TABLE b (n INT)" };
  const { message } = await failing(HistoryError, renamed, more);
  assertMatch(message, /files create, and the files are recorded for 'main', not for this connec/);
  assertMatch(message, /name the connection 'main' again[^]*baseline --until[^]*migrate --yes/);
  const planned = () => inSession(renamed, previewRun, more);
  assertEquals((await assertRejects(planned, HistoryError)).message, message);
  await inSession(renamed, (session, files) => baseline(session, files, { until: "1.sql" }), more);
  assertEquals(outcomes(await migrated(renamed, more)).at(-1), "2.sql applied");
  const second = { ...datasource, name: "second" };
  const made = { ...shared, "1.sql": "CREATE TABLE c (n INT)" };
  assertEquals(outcomes(await migrated(second, made)), ["0.sql applied", "1.sql applied"]);
  const third = { ...datasource, name: "third" };
  assertEquals(outcomes(await migrate(third, tree, {}, { yes: true })), [
    ...["0.sql applied", "1.sql applied"],
  ]);
});

databaseTest(
  "a first run on SQLite goes on beside tables that virtual tables and sequences have",
  sqlite,
  undefined,
  async (datasource) => {
    await prepare(sqlite, datasource, [
      "CREATE VIRTUAL TABLE search USING fts5 (body)",
      "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)",
      "INSERT INTO a DEFAULT VALUES",
      "CREATE TABLE _cf_KV (key TEXT)",
    ]);
    const tree = {
      "1.sql": "CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5 (body);" +
        "CREATE TABLE IF NOT EXISTS a (id INTEGER PRIMARY KEY AUTOINCREMENT);",
    };
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql applied"]);
  },
);

databaseTest(
  "a first run on PostgreSQL goes on beside tables of extensions, partitions and other schemas",
  postgresql,
  postgresql.postgresqlMissing,
  async (datasource) => {
    await prepare(postgresql, datasource, [
      "CREATE TABLE spatial_ref_sys (n INT)",
      "ALTER EXTENSION plpgsql ADD TABLE spatial_ref_sys",
      "CREATE SCHEMA jobs",
      "CREATE TABLE jobs.job (n INT)",
      "CREATE TABLE a (n INT) PARTITION BY LIST (n)",
      "CREATE TABLE a_1 PARTITION OF a FOR VALUES IN (1)",
    ]);
    const tree = {
      "1.sql": `CREATE TABLE IF NOT EXISTS public."a" (n INT) PARTITION BY LIST (n)`,
    };
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql applied"]);
  },
);

databaseTest(
  "a first run on PostgreSQL stops beside the histories of other schemas",
  postgresql,
  postgresql.postgresqlMissing,
  async (datasource) => {
    const tree = { "001_a.sql": "CREATE TABLE IF NOT EXISTS a (n INT)", "002_b.sql": "SELECT 1" };
    const tables = {
      '"SequelizeMeta"': ["name TEXT", "('001_a.sql'), ('002_b.sql')", "Umzug"],
      hist: ["version TEXT", "('001'), ('002')", "dbmate"],
      __diesel_schema_migrations: ["version TEXT, run_on TIMESTAMP", "('001', now())", "Diesel"],
      alembic_version: ["version_num TEXT", "('ae1027a6acf')", "Alembic"],
    };
    await prepare(postgresql, datasource, ["CREATE SCHEMA mig"]);
    for (const [name, [columns, rows, tool]] of Object.entries(tables)) {
      await prepare(postgresql, datasource, [
        `CREATE TABLE mig.${name} (${columns})`,
        `INSERT INTO mig.${name} VALUES ${rows}`,
      ]);
      const { message } = await failing(HistoryError, datasource, tree);
      const shown = `mig.${name.replaceAll('"', "")}`;
      assertMatch(message, new RegExp(`a history of ${tool} \\(the table '${shown}'\\)`));
      if (name === "hist") {
        assertMatch(
          message,
          /run 'adopt --table mig.hist --dry-run' and then 'adopt --table mig.h/,
        );
        const near = await assertRejects(() => take(datasource, tree, { table: "hist" }));
        assertMatch(`${near}`, /in the table 'hist'.*say '--table mig.hist'/);
        assertEquals((await take(datasource, tree, { table: shown })).isRecorded, true);
        await prepare(postgresql, datasource, ["DROP TABLE framework_migrations"]);
      }
      await prepare(postgresql, datasource, [`DROP TABLE mig.${name}`]);
    }
    await prepare(postgresql, datasource, [
      "CREATE TABLE mig.hist (version TEXT)",
      "INSERT INTO mig.hist VALUES ('003')",
      // As Supabase has it for itself.
      "CREATE SCHEMA realtime",
      "CREATE TABLE realtime.schema_migrations (version BIGINT, inserted_at TIMESTAMP)",
      "INSERT INTO realtime.schema_migrations VALUES (20211116024918, now())",
    ]);
    assertEquals(outcomes(await migrated(datasource, tree)), [
      ...["001_a.sql applied", "002_b.sql applied"],
    ]);
  },
);

for (
  const [support, missing] of [
    [postgresql, postgresql.postgresqlMissing],
    [mysql, mysql.mysqlMissing],
  ] as const
) {
  const engine = support === mysql ? "MariaDB" : "PostgreSQL";
  databaseTest(
    `a first run on ${engine} counts tables of the schemas that files create theirs in`,
    support,
    missing,
    async (datasource) => {
      const app = `app_${crypto.randomUUID().slice(0, 8)}`;
      await prepare(support, datasource, [
        `CREATE SCHEMA ${app}`,
        `CREATE TABLE ${app}.my_history (n INT)`,
      ]);
      try {
        const use = support === mysql ? `USE ${app}` : `SET search_path = ${app}`;
        for (const create of [`CREATE TABLE IF NOT EXISTS ${app}.a`, `${use}; CREATE TABLE a`]) {
          const { message } = await failing(HistoryError, datasource, {
            "1.sql": `CREATE SCHEMA IF NOT EXISTS ${app}; ${create} (n INT);`,
          });
          assertMatch(message, new RegExp(`no file here creates, '${app}.my_history': nothing`));
        }
        await prepare(support, datasource, [
          `DROP TABLE ${app}.my_history`,
          "CREATE TABLE legacy (n INT)",
        ]);
        const tree = { "1.sql": `CREATE TABLE ${app}.a (n INT)` };
        assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql applied"]);
      } finally {
        await support.query(
          datasource,
          `DROP SCHEMA ${app}${support === mysql ? "" : " CASCADE"}`,
        );
      }
    },
  );
}

onEach(
  "does not take comments, texts and temporary tables for tables",
  async (support, database) => {
    await prepare(support, database, ["CREATE TABLE version_info (v INT)"]);
    const make = "create table version_info (v int)";
    const bodies = [
      `-- our tool made: ${make};\nCREATE TABLE b (n INT)`,
      `/* ${make} */ CREATE TABLE b (n INT)`,
      `CREATE TABLE b (t VARCHAR(99) DEFAULT '${make}')`,
      "CREATE TEMPORARY TABLE version_info (v INT)",
    ];
    for (const body of bodies) {
      const { message } = await failing(HistoryError, database, { "1.sql": body });
      assertMatch(message, /no file here creates, 'version_info': nothing/);
    }
    const tree = { "1.sql": "create/**/table/**/if not exists/**/version_info(v int)" };
    assertEquals(outcomes(await migrated(database, tree)), ["1.sql applied"]);
  },
);

databaseTest(
  "a first run on PostgreSQL goes on beside what 'SELECT INTO' and bodies make",
  postgresql,
  postgresql.postgresqlMissing,
  async (datasource) => {
    await prepare(postgresql, datasource, ["CREATE TABLE t (n INT)", "CREATE TABLE u (n INT)"]);
    const tree = {
      "1.sql": "DROP TABLE t; SELECT 1 AS n INTO t;" +
        'DO $$ BEGIN create/**/table/**/if not exists"u"(n int); END $$;',
    };
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql applied"]);
  },
);

databaseTest(
  "two first runs at once on PostgreSQL do not stop each other",
  postgresql,
  postgresql.postgresqlMissing,
  async (datasource) => {
    const tree = { "1.sql": "SELECT 1 AS n INTO made FROM pg_sleep(0.2)", "2.sql": "SELECT 2" };
    const reports = await Promise.all([1, 2, 3].map(() => migrated(datasource, tree)));
    const applied = reports.flatMap(outcomes).filter((line) => line.endsWith(" applied"));
    assertEquals(applied.toSorted(), ["1.sql applied", "2.sql applied"]);
  },
);

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const MAKE_A = "CREATE TABLE a (n INT);\n";

/** Tables as these tools make them under another name, with the row of one file. */
const RENAMED: Readonly<Record<string, readonly [columns: string, row: string, file: string]>> = {
  flyway: [
    "installed_rank INT, version VARCHAR(50), description VARCHAR(200), type VARCHAR(20), script VARCHAR(1000), " +
    "checksum INT, installed_by VARCHAR(100), installed_on TIMESTAMP, execution_time INT, success BOOLEAN",
    `1, '1', 'a', 'SQL', 'V1__a.sql', ${
      crc32(MAKE_A.trim()) | 0
    }, 'x', '2026-01-02 03:04:05', 7, true`,
    "V1__a.sql",
  ],
  "golang-migrate": ["version BIGINT, dirty BOOLEAN", "1, false", "1_a.up.sql"],
  goose: [
    "id INT, version_id BIGINT, is_applied BOOLEAN, tstamp TIMESTAMP",
    "2, 1, true, '2026-01-02 03:04:05'",
    "00001_a.sql",
  ],
  dbmate: ["version VARCHAR(128)", "'20260102'", "20260102_a.sql"],
  "sql-migrate": [
    "id VARCHAR(255), applied_at TIMESTAMP",
    "'1_a.sql', '2026-01-02 03:04:05'",
    "1_a.sql",
  ],
  "node-pg-migrate": [
    "id INT, name VARCHAR(255), run_on TIMESTAMP",
    "1, '1_a', '2026-01-02 03:04:05'",
    "1_a.sql",
  ],
  knex: [
    "id INT, name VARCHAR(255), batch INT, migration_time TIMESTAMP",
    "1, '1_a.js', 1, '2026-01-02 03:04:05'",
    "1_a.sql",
  ],
  kysely: [
    "name VARCHAR(255), timestamp VARCHAR(255)",
    "'1_a', '2026-01-02T03:04:05.000Z'",
    "1_a.sql",
  ],
  "mikro-orm": [
    "id INT, name VARCHAR(255), executed_at TIMESTAMP",
    "1, '1_a', '2026-01-02 03:04:05'",
    "1_a.sql",
  ],
  prisma: [
    "id VARCHAR(36), checksum VARCHAR(64), finished_at TIMESTAMP, migration_name VARCHAR(255), logs VARCHAR(9), " +
    "rolled_back_at TIMESTAMP NULL, started_at TIMESTAMP, applied_steps_count INT",
    `'x', '${sha256(MAKE_A)}', '2026-01-02 03:04:05', '1_a', NULL, NULL, '2026-01-02 03:04:05', 1`,
    "1_a/migration.sql",
  ],
  drizzle: [
    "id INT, hash VARCHAR(64), created_at BIGINT",
    `1, '${sha256(MAKE_A)}', 1767323045000`,
    "20260102030405_a/migration.sql",
  ],
};

onEach(
  "finds the histories of tools under another name, and 'adopt' takes them over",
  async (support, datasource) => {
    for (const [id, [columns, row, path]] of Object.entries(RENAMED)) {
      const table = "shop_history";
      await prepare(support, datasource, [
        "CREATE TABLE a (n INT)",
        `CREATE TABLE ${table} (${columns})`,
        `INSERT INTO ${table} VALUES (${row})`,
      ]);
      const tree = { [path]: MAKE_A };
      const error = await failing(HistoryError, datasource, tree);
      assertMatch(error.message, /there is a history of .* \(the table 'shop_history'\)/, id);
      const adopted = await take(datasource, tree, { table });
      assertEquals([adopted.rows.map(({ state }) => state), adopted.isRecorded], [
        ["adopted"],
        true,
      ], id);
      assertEquals(outcomes(await migrated(datasource, tree)), [`${path} skipped`]);
      const tables = ["a", table, "framework_migrations"];
      await prepare(support, datasource, tables.map((name) => `DROP TABLE ${name}`));
    }
  },
);

/** As these tools make them, as far as the runner recognizes the tool by it. */
const UNLISTED = {
  Diesel: ["__diesel_schema_migrations", "version VARCHAR(50), run_on TIMESTAMP"],
  refinery: [
    "refinery_schema_history",
    "version INT, name VARCHAR(255), applied_on VARCHAR(255), checksum VARCHAR(255)",
  ],
  Ecto: ["schema_migrations", "version BIGINT, inserted_at TIMESTAMP"],
  "EF Core": ["__EFMigrationsHistory", "MigrationId VARCHAR(150), ProductVersion VARCHAR(32)"],
  Django: [
    "django_migrations",
    "id BIGINT, app VARCHAR(255), name VARCHAR(255), applied TIMESTAMP",
  ],
  Laravel: ["migrations", "id INT, migration VARCHAR(255), batch INT"],
  Doctrine: [
    "doctrine_migration_versions",
    "version VARCHAR(191), executed_at TIMESTAMP, execution_time INT",
  ],
  Phinx: ["phinxlog", "version BIGINT, migration_name VARCHAR(100), start_time TIMESTAMP"],
  yoyo: ["_yoyo_migration", "migration_hash VARCHAR(64), migration_id VARCHAR(255)"],
  Atlas: ["atlas_schema_revisions", "version VARCHAR(255), partial_hashes VARCHAR(255)"],
};

onEach(
  "names tools whose rows are no files, and 'adopt' says the way from them",
  async (support, datasource) => {
    for (const [tool, [name, columns]] of Object.entries(UNLISTED)) {
      const table = support === mysql ? `\`${name}\`` : `"${name}"`;
      const nulls = columns!.split(",").map(() => "NULL").join(", ");
      await prepare(support, datasource, [
        `CREATE TABLE ${table} (${columns!.replaceAll("TIMESTAMP", "TIMESTAMP NULL")})`,
        `INSERT INTO ${table} VALUES (${nulls})`,
      ]);
      const error = await failing(HistoryError, datasource, TREE);
      assertMatch(error.message, new RegExp(`history of ${tool} \\(the table '${name}'\\)`));
      const refused = await assertRejects(() => take(datasource, TREE), HistoryError);
      assertMatch(refused.message, /do not tell which file they are[^]*baseline --until/);
      await prepare(support, datasource, [`DROP TABLE ${table}`]);
    }
  },
);

databaseTest(
  "a first run on PostgreSQL names the tools that have a schema of their own",
  postgresql,
  postgresql.postgresqlMissing,
  async (datasource) => {
    const tables = {
      "sqitch": ["sqitch.changes", "change_id TEXT, script_hash TEXT, change TEXT"],
      "pgroll": ["pgroll.migrations", "name TEXT, resulting_schema JSONB"],
      "graphile-migrate": [
        "graphile_migrate.migrations",
        "hash TEXT, previous_hash TEXT, filename TEXT",
      ],
    };
    for (const [tool, [table, columns]] of Object.entries(tables)) {
      const [schema] = table!.split(".");
      await prepare(postgresql, datasource, [
        `CREATE SCHEMA ${schema}`,
        `CREATE TABLE ${table} (${columns})`,
        `INSERT INTO ${table} DEFAULT VALUES`,
      ]);
      const error = await failing(HistoryError, datasource, TREE);
      assertMatch(error.message, new RegExp(`history of ${tool} \\(the table `));
      await postgresql.query(datasource, `DROP SCHEMA ${schema} CASCADE`);
    }
  },
);

databaseTest(
  "adopt --table names what it found where the table is none that it knows",
  sqlite,
  undefined,
  async (datasource) => {
    await prepare(sqlite, datasource, [
      "CREATE TABLE users (n INT)",
      "CREATE TABLE own (version INT)",
    ]);
    const error = await assertRejects(
      () => take(datasource, TREE, { table: "users" }),
      HistoryError,
    );
    assertMatch(
      error.message,
      /no history of a known tool in the table 'users': found 'dbmate' \(the table 'own'\)/,
    );
  },
);
