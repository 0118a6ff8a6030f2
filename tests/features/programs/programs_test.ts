import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { createConfig } from "../../../src/config/mod.ts";
import {
  adoptSql,
  baselineSql,
  ConfigError,
  HistoryError,
  migrateSql,
  resolveSql,
  sqlMigrationStatus,
} from "../../../src/migrations/mod.ts";

const config = createConfig({ datasource: { name: "main", migrations: { enabled: true } } });

/** A database in memory that wrangler has applied the first of two files to, as only the program has it. */
async function project(): Promise<{ sqlPath: string; using: { main: DatabaseSync } } & Disposable> {
  const sqlPath = await Deno.makeTempDir();
  await Deno.mkdir(join(sqlPath, "main"));
  await Deno.writeTextFile(join(sqlPath, "main/0001_a.sql"), "CREATE TABLE a (id INTEGER);");
  await Deno.writeTextFile(join(sqlPath, "main/0002_b.sql"), "CREATE TABLE b (id INTEGER);");
  const main = new DatabaseSync(":memory:");
  main.exec(`CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);
    INSERT INTO d1_migrations (name) VALUES ('0001_a.sql'); CREATE TABLE a (id INTEGER)`);
  return {
    sqlPath,
    using: { main },
    [Symbol.dispose]() {
      main.close();
      Deno.removeSync(sqlPath, { recursive: true });
    },
  };
}

Deno.test("adoptSql() records what another tool has applied, by the connection of the program", async () => {
  using options = await project();
  await assertRejects(() => migrateSql(options)(config), Error, "there is a history of wrangler");
  const expected = { main: { recorded: ["0001_a.sql"], pending: ["0002_b.sql"] } };
  assertEquals(await adoptSql({ ...options, dryRun: true })(config), expected);
  assertEquals(await adoptSql(options)(config), expected);
  await migrateSql(options)(config);
  const { main = [] } = await sqlMigrationStatus(options)(config);
  assertEquals(main.map(({ file, state }) => [file, state]), [
    ["0001_a.sql", "applied"],
    ["0002_b.sql", "applied"],
  ]);
});

Deno.test("adoptSql() rejects where the history does not fit the files", async () => {
  using options = await project();
  options.using.main.exec("INSERT INTO d1_migrations (name) VALUES ('0000_gone.sql')");
  await assertRejects(() => adoptSql({ ...options, from: "flyway" })(config), HistoryError);
});

Deno.test("baselineSql() records up to a file without applying it", async () => {
  using options = await project();
  options.using.main.exec("DROP TABLE d1_migrations");
  assertEquals(await baselineSql({ ...options, until: "0001_a.sql" })(config), {
    main: { recorded: ["0001_a.sql"], pending: [] },
  });
  const results = await migrateSql(options)(config);
  assertEquals(results.map(({ file, outcome }) => [file, outcome]), [
    ["0001_a.sql", "skipped"],
    ["0002_b.sql", "applied"],
  ]);
});

Deno.test("resolveSql() settles an interrupted file", async () => {
  using options = await project();
  const { main } = options.using;
  main.exec("DROP TABLE d1_migrations; DROP TABLE a");
  const text =
    "-- irori: no-transaction\nCREATE TABLE a (id INTEGER);\nINSERT INTO missing VALUES (1);";
  await Deno.writeTextFile(join(options.sqlPath, "main/0001_a.sql"), text);
  await assertRejects(() => migrateSql(options)(config));
  main.exec("CREATE TABLE missing (id INTEGER); INSERT INTO missing VALUES (1)");
  assertEquals(await resolveSql("main/0001_a.sql", "applied", options)(config), {
    main: { recorded: ["0001_a.sql"], pending: [] },
  });
  await migrateSql(options)(config);
});

Deno.test("functions for programs + reject what the commands reject, with the same messages", async () => {
  using options = await project();
  await adoptSql(options)(config);
  const nothing = (path: string) =>
    `Cannot resolve '${path}': no interrupted file has this path; 'irori status' lists them`;
  for (const path of ["nope.sql", "main/nope.sql", "0001_a.sql", "0002_b.sql"]) {
    for (const answer of ["applied", "retry"] as const) {
      const run = resolveSql(path, answer, options);
      assertEquals((await assertRejects(() => run(config), ConfigError)).message, nothing(path));
    }
  }
  await assertRejects(
    () => resolveSql("0001_a.sql", "abandon", options)(config),
    ConfigError,
    "Cannot abandon '0001_a.sql': no interrupted file with an unfinished copy",
  );
  for (const answer of ["foo", "cancel", "toString"]) {
    await assertRejects(
      () => resolveSql("0001_a.sql", answer as "retry", options)(config),
      TypeError,
      `Expected 'applied', 'retry' or 'abandon', found '${answer}'`,
    );
  }
  await assertRejects(
    () => baselineSql({ ...options, until: "nope.sql" })(config),
    ConfigError,
    "No enabled connection has a file 'nope.sql'",
  );
});

Deno.test("functions for programs + reject names that no datasource has", async () => {
  using options = await project();
  const { main } = options.using;
  for (const wrong of [{ connection: "other" }, { using: { main, other: main } }]) {
    const all = { ...options, ...wrong };
    for (
      const run of [
        adoptSql(all),
        baselineSql(all),
        resolveSql("0001_a.sql", "retry", all),
        migrateSql(all),
        sqlMigrationStatus(all),
      ]
    ) await assertRejects(() => Promise.resolve(run(config)), ConfigError, "'other'");
  }
});
