import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { bootstrap, Component } from "../../mod.ts";
import { migrateSql, MigrationRunError } from "../../src/migrations/mod.ts";
import { workspace } from "../e2e/command_line.ts";

const CONFIG = `datasource:
  - name: main
    url: sqlite:app.db
    migrations:
      enabled: true
`;

Deno.test("migrateSql() at the start of an application logs a line for each file that it applies", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/1.sql": "CREATE TABLE users (id INTEGER);",
    "migrations/main/2.sql": "CREATE TABLE orders (id INTEGER);",
  });
  const lines = await written(() => start(space.path));
  assertEquals(lines.map((line) => line.replace(/\d+ ms/, "1 ms")), [
    "Migration 'main/1.sql' applied (1 ms)",
    "Migration 'main/2.sql' applied (1 ms)",
  ]);
  assertEquals(await written(() => start(space.path)), []);
});

Deno.test("migrateSql() at the start of an application says that no connection is enabled", async () => {
  await using space = await workspace({ "config/other.yml": "a: 1\n" });
  assertEquals(await written(() => start(space.path)), [
    "Nothing to do: the configuration has no 'datasource'",
  ]);
});

Deno.test("migrateSql() at the start of an application shows the line of a file that fails", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/1.sql": "CREATE TABLE users (id INTEGER);",
    "migrations/main/2.sql": "CREATE TABLE orders (id INTEGER);\nINSERT INTO userss VALUES (1);\n",
  });
  let message = "";
  const lines = await written(async () => {
    const error = await assertRejects(() => start(space.path), MigrationRunError);
    message = error.message;
  });
  assertEquals(lines.length, 1);
  assertMatch(
    message,
    /^Cannot apply 'main\/2\.sql:2(?::\d+)?': .*userss.*\n(?:.*\n)*? {2}2 \| INSERT INTO userss VALUES \(1\);/,
  );
});

Deno.test("bootstrap() + a start that fails later still says which migrations were applied", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "migrations/main/1.sql": "CREATE TABLE users (id INTEGER);",
  });
  @Component()
  class Failing {
    constructor() {
      throw new Error("no cache");
    }
  }
  const lines = await written(async () => {
    await assertRejects(() =>
      bootstrap({
        root: space.path,
        components: [Failing],
        extensions: [() => undefined],
        startup: [migrateSql()],
      })
    );
  });
  assertEquals(lines.map((line) => line.replace(/\d+ ms/, "")), [
    "Migration 'main/1.sql' applied ()",
  ]);
});

async function start(root: string): Promise<void> {
  await using _app = await bootstrap({ root, startup: [migrateSql()] });
}

/** The lines that the action writes to the console. */
async function written(action: () => Promise<unknown>): Promise<readonly string[]> {
  const { log: original } = console;
  const lines: string[] = [];
  console.log = (line: string) => void lines.push(line);
  try {
    await action();
  } finally {
    console.log = original;
  }
  return lines;
}
