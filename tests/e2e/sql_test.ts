import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { type Workspace, workspace } from "./command_line.ts";

const CONFIG = `
datasource:
  - name: main
    url: sqlite:./app.db
    migrations:
      enabled: true
`;

function rows(space: Workspace, sql: string): unknown[] {
  const database = new DatabaseSync(join(space.path, "app.db"));
  try {
    return database.prepare(sql).all().map((row) => Object.values(row)).flat();
  } finally {
    database.close();
  }
}

Deno.test("cli applies SQL files once, in order, and records their SHA-256", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/001.sql": "CREATE TABLE t (n INTEGER);",
    "migrations/main/release-1.0/002.sql": "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2);",
  });
  const first = await space.run();
  assertEquals([first.code, first.stderr], [0, ""]);
  assertMatch(first.stdout, /main: 2 files, 2 pending\n {2}applied {4}001\.sql .*\n {2}applied /);
  assertEquals(rows(space, "SELECT n FROM t ORDER BY n"), [1, 2]);
  const hashes = rows(space, "SELECT content_hash FROM framework_migrations");
  assertEquals(hashes.map((hash) => /^[0-9a-f]{64}$/.test(String(hash))), [true, true]);

  const second = await space.run("-m", "sql");
  assertEquals(second.code, 0);
  assertStringIncludes(second.stdout, "main: up to date, 2 unchanged (1 round trip)");
  assertEquals(rows(space, "SELECT count(*) FROM t"), [2]);
});

Deno.test("cli rolls a failing SQL file back, stops, and says where", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/001.sql": "CREATE TABLE t (n INTEGER);",
    "migrations/main/002.sql": "INSERT INTO t VALUES (1);\nINSERT INTO nope VALUES (2);\n",
    "migrations/main/003.sql": "INSERT INTO t VALUES (3);",
  });
  const { code, stdout, stderr } = await space.run();
  assertEquals(code, 8);
  assertMatch(stdout, /applied {4}001\.sql[^]*failed {5}002\.sql/);
  assertMatch(stderr, /main\/002\.sql.*no such table: nope/);
  assertEquals(rows(space, "SELECT n FROM t"), []);
  assertEquals(rows(space, "SELECT migration_path FROM framework_migrations"), ["001.sql"]);

  await space.write("migrations/main/002.sql", "INSERT INTO t VALUES (2);");
  assertEquals((await space.run()).code, 0);
  assertEquals(rows(space, "SELECT n FROM t"), [2, 3]);
});

Deno.test("cli refuses an edited SQL file with exit 8, both hashes and the ways out", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/001.sql": "CREATE TABLE t (n INTEGER);",
  });
  await space.run();
  const [applied] = rows(space, "SELECT content_hash FROM framework_migrations");
  await space.write("migrations/main/001.sql", "CREATE TABLE IF NOT EXISTS t (n INTEGER);");
  const { code, stderr } = await space.run();
  assertEquals(code, 8);
  assertStringIncludes(stderr, String(applied));
  assertMatch(stderr, /now +[0-9a-f]{64}/);
  assertStringIncludes(stderr, "-- irori: repeatable");
  assertStringIncludes(stderr, "migrations.on_change: reapply");

  await space.write("config/application.yml", CONFIG + "      on_change: reapply\n");
  const again = await space.run();
  assertEquals(again.code, 0);
  assertMatch(again.stdout, /reapplied {2}001\.sql/);
});

Deno.test("cli re-applies an edited repeatable SQL file", async () => {
  const view = (value: number) =>
    `-- irori: repeatable\nDROP VIEW IF EXISTS v;\nCREATE VIEW v AS SELECT ${value};`;
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/view.sql": view(1),
  });
  await space.run();
  await space.write("migrations/main/view.sql", view(2));
  const { code, stdout } = await space.run();
  assertEquals(code, 0);
  assertMatch(stdout, /reapplied {2}view\.sql/);
  assertEquals(rows(space, "SELECT * FROM v"), [2]);
});

Deno.test("cli --json prints one document with a result for each file on stdout", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/001.sql": "CREATE TABLE t (n INTEGER);",
    "migrations/main/002.sql": "INSERT INTO nope VALUES (1);",
    "migrations/main/003.sql": "INSERT INTO t VALUES (3);",
  });
  const { code, stdout } = await space.run("--json");
  assertEquals(code, 8);
  const { connections: [main] } = JSON.parse(stdout);
  const outcomes = main.results.map(({ file, outcome }: Record<string, string>) => [file, outcome]);
  assertEquals(outcomes, [["001.sql", "applied"], ["002.sql", "failed"], ["003.sql", "not run"]]);
  assertMatch(main.results[1].error, /no such table: nope/);
});

Deno.test("cli validate shows what is dangerous in the newest files, and counts it in older ones", async () => {
  const drops = Array.from({ length: 25 }, (_, index) => {
    const name = `${index + 1}`.padStart(3, "0");
    return [`migrations/main/${name}.sql`, `DROP TABLE t${name};`];
  });
  await using space = await workspace({
    "config/application.yml": CONFIG,
    ...Object.fromEntries(drops),
  });
  const { code, stdout, stderr } = await space.run("validate");
  assertEquals([code, stdout], [0, "main: 25 files, 25 problems\n"]);
  assertEquals(stderr.match(/^warning: main\/\d+\.sql:1:12: /gm)?.length, 20);
  assertStringIncludes(stderr, "allow drop-table: <reason>");
  assertStringIncludes(
    stderr,
    "warning: main: 5 findings up to '005.sql' not shown: drop-table 5. 'migrations.lint_from",
  );
  const { connections } = JSON.parse((await space.run("validate", "--json")).stdout);
  assertEquals(connections[0].problems.length, 25);
  assertEquals(connections[0].problems[0].rule, "drop-table");

  await space.write("config/application.yml", `${CONFIG}      lint_from: 025.sql\n`);
  assertMatch((await space.run("validate")).stderr, /^warning: main\/025\.sql[^]*<reason>\n$/);
  await space.write("config/application.yml", `${CONFIG}      lint: error\n`);
  assertEquals((await space.run("validate")).code, 3);
  assertEquals((await space.run("plan")).code, 3);
  const migrate = await space.run();
  assertEquals(migrate.code, 3);
  assertStringIncludes(migrate.stderr, "error: main/001.sql:1:12: Deletes the data of 't001'");

  // Sorts behind all files, which would then not be linted.
  await space.write(
    "config/application.yml",
    `${CONFIG}      lint: error\n      lint_from: 25.sql\n`,
  );
  const problem = "main/25.sql: 'migrations.lint_from' names a file that does not exist";
  for (const command of ["validate", "plan", "migrate"]) {
    const { code, stderr } = await space.run(command);
    assertEquals(code, 3, command);
    assertStringIncludes(stderr, `error: ${problem}`);
  }
  await space.write("config/application.yml", `${CONFIG}      lint_from: 25.sql\n`);
  const warned = await space.run("plan");
  assertEquals(warned.code, 0);
  assertStringIncludes(warned.stdout + warned.stderr, "'migrations.lint_from' names a file");
});
