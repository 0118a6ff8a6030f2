import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { depth, writeProof } from "../../long/mod.ts";
import * as mysql from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import * as sqlite from "../../migrations/sql/sqlite_support.ts";
import { drizzleHistory, urlOf } from "./adopt_support.ts";
import { workspace } from "../../e2e/command_line.ts";

const ENGINES = [
  { name: "PostgreSQL", support: postgresql, missing: postgresql.postgresqlMissing },
  { name: "MariaDB", support: mysql, missing: mysql.mysqlMissing },
  { name: "SQLite", support: sqlite, missing: undefined },
] as const;

const ROUNDS = depth(2, 5, 50);
const PROCESSES = 20;
/** Files that Drizzle has applied, and new ones. */
const [OLD, NEW] = [3, 5];

const TAGS = Array.from({ length: OLD + NEW }, (_, index) => `000${index}_step${index}`);
/** Rows tell how often each statement ran; as files of rows alone they are transactions on all three. */
const contentOf = (tag: string) =>
  `INSERT INTO done VALUES ('${tag} a');\n--> statement-breakpoint\nINSERT INTO done VALUES ('${tag} b');\n`;

const results: string[] = [];
Deno.test.afterAll(() =>
  writeProof(
    "drizzle-at-once",
    `# Many processes on a folder of Drizzle

Drizzle has applied ${OLD} of ${
      OLD + NEW
    } files. In each round, on a new database, ${PROCESSES} processes start at once:
a fifth runs \`irori adopt\`, the others \`irori migrate\`, and half of all are killed at random moments. Then one more run
of both ends with 0, each statement of the new files has run once, and each file has one record.

`,
    results,
  )
);

for (const { name, support, missing } of ENGINES) {
  Deno.test({
    name:
      `cli on a folder of Drizzle on ${name} by ${PROCESSES} processes at once, half of them killed, applies each file once`,
    ignore: missing !== undefined,
    async fn() {
      const found = { killed: 0, done: 0 };
      for (let round = 0; round < ROUNDS; round++) {
        const datasource = await support.create();
        try {
          const query = (sql: string) => support.query(datasource, sql);
          const url = name === "SQLite"
            ? `sqlite:${datasource.database}`
            : urlOf(datasource, name === "MariaDB" ? "mysql" : "postgres");
          await using space = await workspace({
            "config/application.yml":
              `datasource:\n  - name: main\n    url: ${url}\n    migrations: { enabled: true }\n`,
            ...Object.fromEntries(
              TAGS.map((tag) => [`migrations/main/${tag}.sql`, contentOf(tag)]),
            ),
            "migrations/main/meta/_journal.json": JSON.stringify({
              version: "7",
              entries: TAGS.map((tag, idx) => ({ idx, tag, when: 100 + idx })),
            }),
          });
          await layHistory(name, query);
          const processes = Array.from({ length: PROCESSES }, (_, index) => {
            return space.start(index % 5 === 0 ? "adopt" : "migrate");
          });
          const timers = processes.filter((_, index) => index % 2 === 0).map((process) =>
            setTimeout(() => {
              try {
                process.kill("SIGKILL");
              } catch {
                // It has ended.
              }
            }, 300 + Math.random() * 4_000)
          );
          for (const { code, signal } of await Promise.all(processes.map(({ status }) => status))) {
            if (signal !== null) found.killed++;
            else if (code === 0) found.done++;
          }
          timers.forEach(clearTimeout);

          for (const command of ["adopt", "migrate"]) {
            const { code, stdout, stderr } = await space.run(command);
            assertEquals([command, code], [command, 0], `${stdout}${stderr}`);
          }
          const rows = await query(
            "SELECT step, COUNT(*) AS times FROM done GROUP BY step ORDER BY 1",
          );
          assertEquals(
            rows.map(({ step, times }) => [step, Number(times)]),
            TAGS.flatMap((tag) => [[`${tag} a`, 1], [`${tag} b`, 1]]),
          );
          const records = await query("SELECT migration_path FROM framework_migrations ORDER BY 1");
          assertEquals(
            records.map(({ migration_path }) => migration_path),
            TAGS.map((tag) => `${tag}.sql`),
          );
        } finally {
          await support.cleanUp();
        }
      }
      results.push(
        `- ${name}: ${ROUNDS} rounds, ${ROUNDS * PROCESSES} processes, ${found.killed} killed, ` +
          `${found.done} ended with 0; nothing ran twice, nothing was skipped.`,
      );
    },
  });
}

/** The history of Drizzle 0.45.4. */
async function layHistory(
  name: string,
  query: (sql: string) => Promise<unknown>,
): Promise<void> {
  const old = TAGS.slice(0, OLD);
  const rows = old.map((tag, index) => {
    return { hash: createHash("sha256").update(contentOf(tag)).digest("hex"), when: 100 + index };
  });
  for (
    const sql of [
      ...drizzleHistory(name === "PostgreSQL", rows),
      "CREATE TABLE done (step VARCHAR(40))",
      ...old.flatMap((tag) =>
        ["a", "b"].map((part) => `INSERT INTO done VALUES ('${tag} ${part}')`)
      ),
    ]
  ) await query(sql);
}
