/** Commands that write many records, killed in the middle: the next run applies nothing that was applied before. */
import { assert, assertEquals } from "@std/assert";
import { crc32 } from "node:zlib";
import { adopt } from "../../../src/features/adopt/adopt.ts";
import { HistoryError } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { depth, IS_LONG, writeProof } from "../../long/mod.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { spawnRun } from "./process_child.ts";
import * as sqlite from "./sqlite_support.ts";
import { inSession, migrate, migrated, outcomes } from "./support.ts";

/** How often each command is killed. */
const ROUNDS = depth(2, 3, 50);
/** Files that Flyway has applied: enough that writing their records takes a while. */
const APPLIED = 400;
const proof: string[] = [];
Deno.test.afterAll(() =>
  writeProof(
    "sql-cut-off-records",
    "# Killed while they write records\n\nA database in which Flyway has applied " +
      `${APPLIED} files, each of which inserts a row. 'adopt' and 'baseline' run in a process of their own ` +
      "that gets SIGKILL, each time at another moment between its connection and its end; then " +
      "'migrate' runs with one more file. It applies that one alone where the records were written, and " +
      "nothing where they were not.\n\n| database | command | kills | all records | no record | a part | " +
      "applied twice |\n|---|---|---|---|---|---|---|\n",
    proof,
  )
);

const SUBJECTS = [
  { name: "PostgreSQL", support: postgresql, missing: postgresql.postgresqlMissing },
  { name: "MariaDB", support: mysql, missing: mysql.mysqlMissing },
  { name: "SQLite", support: sqlite, missing: undefined },
] as const;

const NEXT = `V${APPLIED + 1}__f.sql`;
const OLD: Record<string, string> = {};
for (let n = 1; n <= APPLIED; n++) OLD[`V${n}__f.sql`] = `INSERT INTO done VALUES (${n});`;
const ALL = { ...OLD, [NEXT]: `INSERT INTO done VALUES (${APPLIED + 1});` };

/** The statements that make the records of Flyway. */
function statements(): readonly string[] {
  const rows = Object.entries(OLD).map(([script, text], index) =>
    `(${index + 1}, '${index + 1}', 'f', 'SQL', '${script}', ${crc32(text) | 0}, 'deploy', ` +
    "'2026-01-02 03:04:05', 7, true)"
  );
  return [
    "CREATE TABLE done (n INT)",
    `INSERT INTO done VALUES ${Object.keys(OLD).map((_, index) => `(${index + 1})`).join(", ")}`,
    "CREATE TABLE flyway_schema_history (installed_rank INT NOT NULL PRIMARY KEY, " +
    "version VARCHAR(50), description VARCHAR(200) NOT NULL, type VARCHAR(20) NOT NULL, " +
    "script VARCHAR(1000) NOT NULL, checksum INTEGER, installed_by VARCHAR(100) NOT NULL, " +
    "installed_on TIMESTAMP NOT NULL, execution_time INTEGER NOT NULL, success BOOLEAN NOT NULL)",
    `INSERT INTO flyway_schema_history VALUES ${rows.join(", ")}`,
  ];
}

for (const { name, support, missing } of SUBJECTS) {
  for (const command of ["adopt", "baseline"] as const) {
    Deno.test({
      name:
        `${name}: '${command}' that is killed leaves nothing to be applied twice, ${ROUNDS} times`,
      ignore: missing !== undefined,
      fn: async () => {
        try {
          const datasource = await support.create();
          for (const sql of statements()) await support.query(datasource, sql);
          const count = async (sql: string) =>
            Number(
              (await Promise.resolve().then(() => support.query(datasource, sql)).catch(() => []))
                .at(0)?.n ?? 0,
            );
          const forget = () =>
            Promise.resolve().then(() =>
              support.query(datasource, "DROP TABLE framework_migrations")
            )
              .catch(() => {});
          const whole = await runFor(datasource, command);
          assertEquals(await count("SELECT count(*) AS n FROM framework_migrations"), APPLIED);
          const found = { all: 0, none: 0 };
          for (let round = 0; round < ROUNDS; round++) {
            await forget();
            await runFor(datasource, command, whole * (round + 0.5) / ROUNDS);
            const { error, results } = await migrate(datasource, ALL);
            const isRecorded = error === undefined;
            if (isRecorded) {
              assertEquals(
                outcomes({ results }).filter((line) => !line.endsWith(" skipped")),
                [`${NEXT} applied`],
              );
            } else assert(error instanceof HistoryError, `${error}`);
            // A server may commit what it has received after the process and the next run have ended.
            const records = await count("SELECT count(*) AS n FROM framework_migrations");
            const expected = isRecorded ? [APPLIED + 1] : [0, APPLIED];
            assert(expected.includes(records), `${records} records`);
            found[records > 0 ? "all" : "none"]++;
            assertEquals(await count("SELECT count(*) AS n FROM done"), APPLIED + +isRecorded);
            await support.query(datasource, `DELETE FROM done WHERE n > ${APPLIED}`);
          }
          await forget();
          await inSession(datasource, (session, files) => adopt(session, files), ALL);
          assertEquals(outcomes(await migrated(datasource, ALL)).at(-1), `${NEXT} applied`);
          const { all, none } = found;
          proof.push(`| ${name} | ${command} | ${ROUNDS} | ${all} | ${none} | 0 | 0 |`);
        } finally {
          await support.cleanUp();
        }
      },
    });
  }
}

// It is a setting of the whole server, which other tests use at the same time.
if (IS_LONG) {
  Deno.test({
    name: "MariaDB: files and records are kept where sessions begin with 'autocommit = 0'",
    ignore: mysql.mysqlMissing !== undefined,
    fn: async () => {
      const datasource = await mysql.create();
      const admin = await mysql.connect(datasource);
      await admin.query("SET GLOBAL autocommit = 0");
      try {
        await migrated(datasource, {
          "1.sql": "CREATE TABLE a (n INT);",
          "2.sql": "INSERT INTO a VALUES (1);",
          "3.sql": "SELECT * FROM a; INSERT INTO a VALUES (2);",
        });
        const rows = await mysql.query(
          datasource,
          "SELECT migration_path FROM framework_migrations",
        );
        assertEquals(rows.map((row) => row.migration_path), ["1.sql", "2.sql", "3.sql"]);
        assertEquals(await mysql.query(datasource, "SELECT n FROM a"), [{ n: 1 }, { n: 2 }]);
      } finally {
        await admin.query("SET GLOBAL autocommit = 1");
        await admin.end();
        await mysql.cleanUp();
      }
    },
  });
}

/** Runs a command in a process. @param killMs after its connection it is killed. @returns how long it took from there */
async function runFor(
  datasource: Datasource,
  command: "adopt" | "baseline",
  killMs?: number,
): Promise<number> {
  const child = spawnRun(datasource, OLD, {}, command);
  const reader = child.stdout.getReader();
  const { done } = await reader.read();
  const begun = performance.now();
  const timer = killMs === undefined ? undefined : setTimeout(() => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It was quicker.
    }
  }, killMs);
  while (!(await reader.read()).done);
  const [{ success, signal }, message] = await Promise.all([
    child.status,
    new Response(child.stderr).text(),
  ]);
  clearTimeout(timer);
  assert(!done && (success || signal === "SIGKILL"), message);
  return performance.now() - begun;
}
