import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { drizzleHistory, urlOf } from "./adopt_support.ts";
import { depth } from "../../long/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as mysql from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import * as sqlite from "../../migrations/sql/sqlite_support.ts";
import { type Workspace, workspace } from "../../e2e/command_line.ts";

const ENGINES = [
  { name: "SQLite", support: sqlite, scheme: "sqlite", missing: undefined },
  {
    name: "PostgreSQL",
    support: postgresql,
    scheme: "postgres",
    missing: postgresql.postgresqlMissing,
  },
  { name: "MariaDB", support: mysql, scheme: "mysql", missing: mysql.mysqlMissing },
] as const;

const table = (name: string) => `CREATE TABLE ${name} (n INT);\n--> statement-breakpoint\n`;
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const path = (name: string) => `migrations/main/${name}`;

interface Entry {
  readonly tag: string;
  readonly when: number;
}

/** Lays files of Drizzle, one table each, named as what follows the first `_`. */
async function lay(space: Workspace, entries: readonly Entry[]): Promise<void> {
  for (const { tag } of entries) await space.write(path(`${tag}.sql`), contentOf(tag));
  const journal = { version: "7", entries: entries.map((entry, idx) => ({ idx, ...entry })) };
  await space.write(path("meta/_journal.json"), JSON.stringify(journal));
}

function contentOf(tag: string): string {
  return table(tag.slice(tag.indexOf("_") + 1));
}

for (const { name, support, scheme, missing } of ENGINES) {
  const test = (
    title: string,
    body: (space: Workspace, datasource: Datasource) => Promise<void>,
  ) =>
    Deno.test({
      name: `cli adopt of Drizzle on ${name} ${title}`,
      ignore: missing !== undefined,
      fn: async () => {
        const datasource = await support.create();
        try {
          const url = scheme === "sqlite"
            ? `sqlite:${datasource.database}`
            : urlOf(datasource, scheme);
          const settings = `url: ${url}\n    migrations: { enabled: true }\n`;
          await using space = await workspace({
            "config/application.yml": `datasource:\n  - name: main\n    ${settings}`,
          });
          await body(space, datasource);
        } finally {
          await support.cleanUp();
        }
      },
    });
  /** The history of Drizzle 0.45.4 after it has applied these. */
  const applied = async (datasource: Datasource, entries: readonly Entry[]) => {
    const rows = entries.map(({ tag, when }) => ({ hash: hash(contentOf(tag)), when }));
    for (
      const sql of [
        ...drizzleHistory(scheme === "postgres", rows),
        ...entries.map(({ tag }) => contentOf(tag).split("-->")[0]!),
      ]
    ) await support.query(datasource, sql);
  };
  const recorded = async (datasource: Datasource) => {
    const sql = "SELECT migration_path FROM framework_migrations ORDER BY 1";
    return (await support.query(datasource, sql)).map(({ migration_path }) => migration_path);
  };

  test(
    "finds the history in a table of another name, where its rows are those files",
    async (space, datasource) => {
      const entries = [1, 2].map((n) => ({ tag: `000${n}_t${n}`, when: 1_700_000_000_000 + n }));
      const [schema, quote] = scheme === "postgres" ? ["drizzle.", '"'] : ["", "`"];
      const own = `${quote}of shop${quote}`;
      await lay(space, entries);
      await applied(datasource, entries);
      const other = `id INT, hash VARCHAR(80), created_at BIGINT`;
      for (
        const sql of [
          `ALTER TABLE ${schema}__drizzle_migrations RENAME TO ${own}`,
          `CREATE TABLE ${schema}of_others (${other})`,
          `INSERT INTO ${schema}of_others VALUES (1, '${hash("other")}', 1700000000009)`,
          `CREATE TABLE files (${other})`,
          "INSERT INTO files VALUES (1, 'x', 1700000000001)",
        ]
      ) await support.query(datasource, sql);
      const run = await space.run("migrate");
      assertEquals(run.code, 2);
      assertMatch(run.stderr, /there is a history of Drizzle \(the table 'of shop'\)/);
      assertEquals((await space.run("adopt")).code, 0);
      assertEquals(await recorded(datasource), ["0001_t1.sql", "0002_t2.sql"]);
      assertEquals((await space.run("migrate")).code, 0);
    },
  );

  test(
    "asks about a file that Drizzle has skipped, and takes either answer",
    async (space, datasource) => {
      const entries = [
        { tag: "0000_a", when: 100 },
        { tag: "0001_b", when: 90 },
        { tag: "0002_c", when: 110 },
        { tag: "0003_d", when: 95 },
        { tag: "0004_e", when: 120 },
      ];
      await lay(space, entries);
      await applied(datasource, [entries[0]!, entries[2]!]);

      const refused = await space.run("adopt", "--json");
      assertEquals(refused.code, 2);
      const { connections: [found] } = JSON.parse(refused.stdout);
      assertEquals(
        found.rows.map(({ name, state }: Record<string, string>) => `${name} ${state}`),
        ["0000_a.sql adopted", "0002_c.sql adopted", "0001_b.sql omitted", "0003_d.sql omitted"],
      );
      assertEquals([found.pending, found.isRecorded], [["0004_e.sql"], false]);
      assertMatch(
        found.error,
        /2 files were never applied by Drizzle.*'--apply <file>'.*'--skip <file>'/,
      );
      const half = await space.run("adopt", "--apply", "0001_b.sql");
      assertEquals(half.code, 2);
      assertStringIncludes(half.stdout, "omitted   0003_d.sql");
      const next = await space.run("adopt", "--apply", "0001_b.sql", "--skip", "0004_e.sql");
      assertEquals(next.code, 2);
      assertEquals((await space.run("adopt", "--skip", "x.sql")).code, 2);

      const answers = ["--apply", "0001_b.sql", "--skip=0003_d.sql"];
      const dry = await space.run("adopt", "--dry-run", ...answers);
      assertStringIncludes(dry.stdout, "main: 3 would be recorded without applying, 2 pending");
      assertEquals((await space.run("adopt", ...answers)).code, 0);
      for (const more of [answers, []]) {
        const again = await space.run("adopt", ...more);
        assertEquals([again.code, again.stderr], [0, ""]);
        assertStringIncludes(again.stdout, "main: nothing new to record, 2 pending");
      }
      const { code, stdout } = await space.run("migrate");
      assertEquals(code, 0);
      assertMatch(stdout, /2 applied, 3 unchanged/);
      assertEquals((await space.run("status", "--check")).code, 0);
      await support.query(datasource, "SELECT * FROM b");
    },
  );

  test("keeps the order of the journal, and says so", async (space, datasource) => {
    const entries = [
      { tag: "0009_a", when: 100 },
      { tag: "0001_b", when: 110 },
      { tag: "0000_c", when: 120 },
    ];
    await lay(space, entries);
    await space.write(path("0000_x.sql"), table("x"));
    await applied(datasource, entries.slice(0, 2));
    const order = "Runs in the order of 'meta/_journal.json', which is not that of the paths";
    const checked = await space.run("validate");
    assertEquals(checked.code, 0);
    assertStringIncludes(checked.stdout + checked.stderr, order);
    const adopted = await space.run("adopt");
    assertEquals(adopted.code, 0);
    assertStringIncludes(adopted.stdout, "main: 2 recorded without applying, 1 pending");
    assertStringIncludes(adopted.stderr, order);
    assertStringIncludes(adopted.stderr, "0000_x.sql: It is ignored: 'meta/_journal.json'");
    const plan = await space.run("plan");
    assertStringIncludes(plan.stdout, "0000_c.sql");
    assertEquals((await space.run("migrate")).code, 0);
    assertEquals((await space.run("status", "--check")).code, 0);
  });

  test(
    "by many processes at once that are killed records all files or none",
    async (space, datasource) => {
      const entries = Array.from({ length: 12 }, (_, index) => {
        return { tag: `${`${index}`.padStart(4, "0")}_t${index}`, when: 100 + index };
      });
      await lay(space, [...entries, { tag: "9999_last", when: 999 }]);
      await applied(datasource, entries);
      const files = entries.map(({ tag }) => `${tag}.sql`);
      for (let round = 0; round < depth(2, 3); round++) {
        const killed = Array.from({ length: 5 }, () => space.start("adopt"));
        await new Promise((done) => setTimeout(done, 500 + 250 * round));
        for (const process of killed.slice(1)) {
          try {
            process.kill("SIGKILL");
          } catch {
            // It has ended.
          }
        }
        await Promise.all(killed.map(({ status }) => status));
        const left = await recorded(datasource).catch(() => []);
        assertEquals(left.length === 0 || left.length === files.length, true, `${left}`);
      }
      const runs = await Promise.all(
        Array.from({ length: 4 }, async () => {
          await space.runStarted("adopt");
          return await space.runStarted("migrate");
        }),
      );
      assertEquals(runs.map(({ code }) => code), [0, 0, 0, 0]);
      assertEquals(await recorded(datasource), [...files, "9999_last.sql"]);
      assertEquals(runs.filter(({ stdout }) => /1 applied/.test(stdout)).length, 1);
    },
  );
}

Deno.test("cli moves records of files that 'drizzle-kit up' has moved, and only of those", async () => {
  await using space = await workspace({
    "config/application.yml":
      "datasource:\n  - name: main\n    url: sqlite:./app.db\n    migrations: { enabled: true }\n",
    [path("d/0000_a.sql")]: "SELECT 1;\n",
    [path("d/0001_b.sql")]: "SELECT 2;\n",
    [path("0000_c.sql")]: "SELECT 3;\n",
  });
  assertEquals((await space.run("migrate")).code, 0);
  await space.remove(path("d/0000_a.sql"));
  await space.write(path("d/20240102030405_a/migration.sql"), "SELECT 1;\n");
  await space.remove(path("d/0001_b.sql"));
  await space.write(path("d/20240102030406_b/migration.sql"), "SELECT 2;\n");
  // Files with a later time than the records, or in another folder, are not in the history.
  await space.write(path("d/29990102030406_a/migration.sql"), "SELECT 33;\n");
  await space.write(path("20240102030406_c/migration.sql"), "SELECT 3;\n");
  const status = await space.run("status");
  assertMatch(status.stdout, /applied +d\/20240102030405_a\/migration.sql/);
  assertMatch(status.stdout, /pending +d\/29990102030406_a\/migration.sql/);
  const runs = await Promise.all([1, 2, 3].map(() => space.runStarted("migrate")));
  assertEquals(runs.map(({ code }) => code), [0, 0, 0]);
  assertEquals(
    runs.some(({ stderr }) =>
      stderr.includes("'d/0000_a.sql' was moved to 'd/20240102030405_a/migration.sql' and keeps")
    ),
    true,
  );
  assertEquals(await states(space), [
    "0000_c.sql applied",
    "20240102030406_c/migration.sql applied",
    "d/20240102030405_a/migration.sql applied",
    "d/20240102030406_b/migration.sql applied",
    "d/29990102030406_a/migration.sql applied",
  ]);
  // A deployment of the layout before.
  await space.remove(path("d/20240102030405_a"));
  await space.write(path("d/0000_a.sql"), "SELECT 1;\n");
  const back = await space.run("migrate");
  assertEquals([back.code, /up to date, 5 unchanged/.test(back.stdout)], [0, true]);
});

Deno.test("cli refuses a file that 'drizzle-kit up' has moved and that was edited or interrupted", async () => {
  const begun =
    "-- irori: no-transaction\nINSERT INTO rows VALUES (2);\nINSERT INTO nowhere VALUES (2);\n";
  await using space = await workspace({
    "config/application.yml":
      "datasource:\n  - name: main\n    url: sqlite:./app.db\n    migrations: { enabled: true }\n",
    [path("0000_a.sql")]: "CREATE TABLE rows (n);\nINSERT INTO rows VALUES (1);\n",
    [path("0001_b.sql")]: begun,
  });
  assertEquals((await space.run("migrate")).code, 8);
  await space.remove(path("0000_a.sql"));
  await space.remove(path("0001_b.sql"));
  await space.write(path("20240102030405_a/migration.sql"), "INSERT INTO rows VALUES (1);\n");
  await space.write(path("20240102030406_b/migration.sql"), begun);
  assertEquals((await space.run("migrate")).code, 9);
  const settled = await space.run("resolve", "20240102030406_b/migration.sql", "--applied");
  assertEquals(settled.code, 0, settled.stderr);
  assertEquals((await space.run("migrate")).code, 8);
  assertEquals(await states(space), [
    "20240102030405_a/migration.sql changed",
    "20240102030406_b/migration.sql applied",
  ]);
});

Deno.test("cli takes a file of another tool with other content for no moved one of Drizzle", async () => {
  const config = (folder: string) =>
    `datasource:\n  - name: main\n    url: sqlite:./app.db\n    migrations: { enabled: true, folder: ${folder} }\n`;
  await using space = await workspace({
    "config/application.yml": config("drizzle"),
    "drizzle/0000_init.sql": "CREATE TABLE a (n);\n",
    "prisma/migrations/20240101000000_init/migration.sql": "CREATE TABLE z (n);\n",
  });
  assertEquals((await space.run("migrate")).code, 0);
  await space.write("config/application.yml", config("prisma/migrations"));
  const other = await space.run("migrate");
  assertEquals([other.code, other.stderr], [0, ""]);
  assertMatch(other.stdout, /applied +20240101000000_init\/migration\.sql/);
});

async function states(space: Workspace): Promise<readonly string[]> {
  const { stdout } = await space.run("status", "--json");
  return JSON.parse(stdout).connections[0].files
    .map(({ file, state }: Record<string, string>) => `${file} ${state}`);
}
