import { assertEquals, assertMatch } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import * as postgresql from "../migrations/sql/postgresql_support.ts";
import { type Workspace, workspace } from "./command_line.ts";

Deno.test.afterAll(postgresql.cleanUp);

const datasource = (name: string, url: string) =>
  `  - name: ${name}\n    url: ${url}\n    migrations: { enabled: true }\n`;

function rows(path: string, sql: string): unknown[] {
  using database = new DatabaseSync(path);
  return database.prepare(sql).all().flatMap((row) => Object.values(row));
}

/** A file system of 256 kB, which only root may mount. */
async function smallDisk(space: Workspace): Promise<AsyncDisposable & { readonly path: string }> {
  const path = `${space.path}/disk`;
  await Deno.mkdir(path);
  await sh("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", path);
  return { path, [Symbol.asyncDispose]: () => sh("umount", path) };
}

async function sh(command: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

Deno.test({
  name: "cli says that the disk is full, and keeps nothing of the file",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await using space = await workspace({
      "migrations/main/1.sql": "CREATE TABLE a (t TEXT);",
      "migrations/main/2.sql": "INSERT INTO a VALUES ('one');\n" +
        "INSERT INTO a VALUES (hex(zeroblob(400000)));",
    });
    await using disk = await smallDisk(space);
    const path = `${disk.path}/app.db`;
    await space.write(
      "config/application.yml",
      `datasource:\n${datasource("main", `sqlite:${path}`)}`,
    );
    const { code, stderr } = await space.run();
    assertEquals(code, 8);
    assertMatch(stderr, /main\/2\.sql: .*disk is full\n {2}Nothing of the file is applied/);
    assertEquals(rows(path, "SELECT count(*) FROM a"), [0]);
    assertEquals(rows(path, "SELECT migration_path FROM framework_migrations"), ["1.sql"]);

    await space.write("migrations/main/2.sql", "INSERT INTO a VALUES ('one');");
    assertEquals((await space.run()).code, 0);
    assertEquals(rows(path, "SELECT t FROM a"), ["one"]);
  },
});

Deno.test("cli says that a file cannot be opened", async () => {
  await using space = await workspace({
    "config/application.yml": `datasource:\n${datasource("main", "sqlite:/proc/version")}`,
    "migrations/main/1.sql": "CREATE TABLE a (t TEXT);",
  });
  const { code, stderr } = await space.run();
  assertEquals(code, 7);
  assertMatch(
    stderr,
    /^error: main: Cannot keep the lock of the run in '\/proc\/version-migrations-lock': unable to open database file$/m,
  );
});

Deno.test({
  name: "cli says that a database can only be read",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await using space = await workspace({ "migrations/main/1.sql": "CREATE TABLE a (t TEXT);" });
    await using disk = await smallDisk(space);
    const config = `datasource:\n${datasource("main", `sqlite:${disk.path}/app.db`)}`;
    await space.write("config/application.yml", config);
    assertEquals((await space.run()).code, 0);
    await sh("mount", "-o", "remount,ro", disk.path);
    assertEquals((await space.run()).code, 0);
    await space.write("migrations/main/2.sql", "CREATE TABLE b (t TEXT);");
    const { code, stderr } = await space.run();
    assertEquals(code, 7);
    assertMatch(
      stderr,
      /^error: main: Cannot use the history table, main\.framework_migrations: .*readonly database$/m,
    );
  },
});

Deno.test("cli runs datasources in the order of the configuration, stops at the first that fails", async () => {
  await using space = await workspace({
    "config/application.yml": "datasource:\n" +
      ["zeta", "alpha", "omega"].map((name) => datasource(name, `sqlite:./${name}.db`)).join(""),
    "migrations/zeta/1.sql": "CREATE TABLE z (n INTEGER);",
    "migrations/alpha/1.sql": "CREATE TABEL a (n INTEGER);",
    "migrations/omega/1.sql": "CREATE TABLE o (n INTEGER);",
  });
  const failed = await space.run("--json");
  assertEquals(failed.code, 8);
  const { connections } = JSON.parse(failed.stdout);
  assertEquals(
    connections.map((one: { connection: string; results: { outcome: string }[] }) => [
      one.connection,
      one.results[0]?.outcome,
    ]),
    [["zeta", "applied"], ["alpha", "failed"]],
  );

  const only = await space.run("--connection", "omega");
  assertEquals(only.code, 0);
  assertMatch(only.stdout, /^omega: 1 file, 1 pending\n.*\nomega: up to date, 1 applied/);

  await space.write("migrations/alpha/1.sql", "CREATE TABLE a (n INTEGER);");
  const { code, stdout } = await space.run();
  assertEquals(code, 0);
  assertEquals(stdout.match(/^\w+: up to date/gm), [
    "zeta: up to date",
    "alpha: up to date",
    "omega: up to date",
  ]);
});

Deno.test("cli waits for a database that is still starting, and names one that never does", async () => {
  await using space = await workspace({
    "config/application.yml": `datasource:\n${
      datasource("main", "postgres://u:s3cr3t@127.0.0.1:1/db")
    }`,
    "migrations/main/1.sql": "SELECT 1;",
  });
  const { code, stdout, stderr } = await space.run("--wait", "300ms");
  assertEquals(code, 7);
  assertMatch(stderr, /127\.0\.0\.1:1.*ECONNREFUSED/);
  assertEquals(`${stdout}${stderr}`.includes("s3cr3t"), false);
});

Deno.test({
  name: "cli says who holds the lock that a file did not get, and where, with exit code 8",
  ignore: postgresql.postgresqlMissing !== undefined,
  fn: async () => {
    const datasource = await postgresql.create();
    const { host, port, username, password, database } = datasource;
    const url = `postgres://${username}:${password?.reveal()}@${host}:${port}/${database}`;
    await using space = await workspace({
      "config/application.yml": "datasource:\n  - name: main\n" +
        `    url: ${url}\n    migrations: { enabled: true, lock_timeout: 0.2 }\n`,
      "migrations/main/1.sql": "CREATE TABLE a (id INT);",
    });
    assertEquals((await space.run()).code, 0);
    await space.write("migrations/main/2.sql", "SELECT 1;\n\tALTER TABLE a ADD COLUMN b INT;");
    const holder = await postgresql.connect(datasource);
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT 's3cr3t' FROM a");
      const { code, stderr } = await space.run();
      assertEquals(code, 8);
      assertMatch(
        stderr,
        /^notice: main\/2\.sql: The file got no lock; attempt 2 of 4 follows in [\d.]+ s: /m,
      );
      assertMatch(stderr, /^error: main\/2\.sql:2:2: The database refused statement 2 of 2: /m);
      assertMatch(stderr, /^ {2}Held by process \d+ of .*: 'SELECT \? FROM a'$/m);
      assertMatch(stderr, /^ {2}2 \| \tALTER TABLE a ADD COLUMN b INT;\n {4}\| \t\^$/m);
      assertEquals(stderr.includes("s3cr3t"), false);
      const nothing = await space.run("resolve", "2.sql", "--cancel");
      assertEquals(nothing.code, 2);
      assertMatch(nothing.stderr, /Cannot cancel '2\.sql': the server runs no statement of it/);
    } finally {
      await holder.end();
    }
    assertEquals((await space.run()).code, 0);
  },
});
