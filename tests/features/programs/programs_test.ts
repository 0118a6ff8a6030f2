import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { createConfig } from "../../../src/config/mod.ts";
import {
  adoptSql,
  baselineSql,
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
