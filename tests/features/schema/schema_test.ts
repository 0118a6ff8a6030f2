/** The schema that is written, and what `schema --check` compares. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { type Workspace, workspace } from "../../e2e/command_line.ts";
import { IS_ALL } from "../../long/mod.ts";
import * as mariadb from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";

/** A database for the command line, and its twin elsewhere. */
interface Subject {
  readonly name: string;
  readonly skip: boolean;
  /** URLs of two empty databases. */
  urls(space: Workspace): Promise<readonly [string, string]>;
  cleanUp(): Promise<void>;
  readonly files: Readonly<Record<string, string>>;
  /** Parts that the schema must contain. */
  readonly expected: readonly string[];
  /** Whether `--check` needs a server; where it is absent, another subject says the same of it. */
  readonly needsUrl?: boolean;
}

function urlOf(variable: string, database: string): string {
  const url = new URL(Deno.env.get(variable)!);
  url.pathname = `/${database}`;
  return url.href;
}

const POSTGRESQL = {
  "1.sql": "CREATE TABLE users (id bigserial PRIMARY KEY, name text NOT NULL DEFAULT 'x;y', " +
    "made timestamptz DEFAULT now());\nCREATE INDEX users_name ON users (lower(name));",
  "2.sql": "CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('sad', 'glad');\n" +
    "CREATE TABLE app.notes (id int GENERATED ALWAYS AS IDENTITY, user_id bigint REFERENCES users, " +
    "mood app.mood, CHECK (id > 0));\nCOMMENT ON TABLE app.notes IS 'About users';",
  "3.sql": "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n" +
    "  NEW.made := now();\n  -- A comment in a body\n  RETURN NEW;\nEND $$;\n" +
    "CREATE TRIGGER touched BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION touch();\n" +
    "CREATE VIEW named AS SELECT id, upper(name) AS name FROM users WHERE name <> '';\n" +
    "ALTER TABLE users RENAME TO people;\nCREATE MATERIALIZED VIEW counted AS SELECT count(*) FROM people;",
  "4.sql":
    "-- irori: no-transaction\nCREATE UNIQUE INDEX CONCURRENTLY people_made ON people (made);",
  "5.sql":
    "INSERT INTO people (name) VALUES ('secret value'); REFRESH MATERIALIZED VIEW counted;\n" +
    "CREATE EXTENSION IF NOT EXISTS pg_trgm;\nCREATE INDEX grams ON people USING gin (name gin_trgm_ops);",
};

const SUBJECTS: readonly Subject[] = [
  {
    name: "SQLite",
    skip: false,
    urls: () => Promise.resolve(["sqlite:./app.db", "sqlite:./other.db"]),
    cleanUp: () => Promise.resolve(),
    files: {
      "1.sql": "CREATE TABLE b (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);\n" +
        "CREATE TABLE a (b INT REFERENCES b);\nCREATE INDEX by_b ON a (b);",
      "2.sql": "CREATE VIEW v AS SELECT * FROM a;\nCREATE TRIGGER t AFTER INSERT ON a BEGIN\n" +
        "  UPDATE b SET name = 'it; is';\nEND;\nINSERT INTO b (name) VALUES ('secret value');\n" +
        "CREATE VIRTUAL TABLE texts USING fts5(body);",
    },
    expected: ["CREATE TABLE b (", "CREATE INDEX by_b", "END;\n", "USING fts5(body);"],
    needsUrl: false,
  },
  {
    name: "PostgreSQL",
    skip: postgresql.postgresqlMissing !== undefined,
    urls: async () => {
      const [one, other] = [await postgresql.create(), await postgresql.create()];
      return [urlOf("TEST_PG_URL", one.database), urlOf("TEST_PG_URL", other.database)];
    },
    cleanUp: postgresql.cleanUp,
    files: POSTGRESQL,
    expected: ["CREATE TABLE public.people (", "CREATE TRIGGER touched", "-- A comment in a body"],
    needsUrl: false,
  },
  {
    name: "PGlite",
    skip: false,
    urls: () => Promise.resolve(["pglite:./one", "pglite:./other"]),
    cleanUp: () => Promise.resolve(),
    files: Object.fromEntries(Object.entries(POSTGRESQL).slice(0, 3)),
    expected: ["CREATE TABLE public.people (", "CREATE TRIGGER touched"],
  },
  {
    name: "MariaDB",
    skip: mariadb.mysqlMissing !== undefined,
    urls: async () => {
      const [one, other] = [await mariadb.create(), await mariadb.create()];
      return [urlOf("TEST_MYSQL_URL", one.database), urlOf("TEST_MYSQL_URL", other.database)];
    },
    cleanUp: mariadb.cleanUp,
    files: {
      "1.sql": "CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40));\n" +
        "CREATE TABLE notes (id INT PRIMARY KEY, user_id INT, FOREIGN KEY (user_id) REFERENCES users (id));",
      "2.sql": "CREATE VIEW named AS SELECT id, upper(name) AS n FROM users;\n" +
        "INSERT INTO users (name) VALUES ('secret value'), ('b');\nDELIMITER //\n" +
        "CREATE PROCEDURE add_one(n TEXT)\nBEGIN\n  INSERT INTO users (name) VALUES (n);\nEND//\n" +
        "CREATE TRIGGER trimmed BEFORE INSERT ON users FOR EACH ROW SET NEW.name = trim(NEW.name)//\n" +
        "DELIMITER ;\nCREATE EVENT old ON SCHEDULE EVERY 1 DAY STARTS '2026-01-01 00:00:00' DO DELETE FROM notes;",
    },
    expected: ["CREATE TABLE `users` (", "PROCEDURE `add_one`", "TRIGGER trimmed", "EVENT `old`"],
    needsUrl: true,
  },
];

function configOf(url: string, file = "db/schema.sql"): string {
  return `datasource: [{ name: main, url: "${url}", migrations: { enabled: true, schema_file: ${file} } }]`;
}

for (const { name, skip, urls, cleanUp, files, expected, needsUrl } of SUBJECTS) {
  const test = (
    what: string,
    body: (space: Workspace, urls: readonly [string, string]) => Promise<void>,
  ) =>
    Deno.test({
      name: `${name}: ${what}`,
      ignore: skip,
      async fn() {
        await using space = await workspace();
        try {
          const both = await urls(space);
          await space.write("config/application.yml", configOf(both[0]));
          for (const [path, text] of Object.entries(files)) {
            await space.write(`migrations/main/${path}`, text);
          }
          await body(space, both);
        } finally {
          await cleanUp();
        }
      },
    });
  const read = (space: Workspace, path = "db/schema.sql") =>
    Deno.readTextFile(`${space.path}/${path}`);
  const ends = (outcome: { code: number; stderr: string }) => [outcome.code, outcome.stderr];

  test(
    "the schema is written, the same for every database that has it, and printed",
    async (space, [, other]) => {
      assertEquals(ends(await space.run()), [0, ""]);
      const schema = await read(space);
      for (const part of expected) assertStringIncludes(schema, part);
      for (const part of ["framework_migrations", "secret value", "restrict", "DEFINER="]) {
        assert(!schema.includes(part), schema);
      }
      // Nothing is applied: it is not even looked at.
      await Deno.remove(`${space.path}/db/schema.sql`);
      assertEquals(ends(await space.run()), [0, ""]);
      assertEquals(
        await Deno.stat(`${space.path}/db/schema.sql`).catch(() => "nothing"),
        "nothing",
      );
      assertEquals((await space.run("schema")).stdout, schema);

      await space.write("config/application.yml", configOf(other));
      assertEquals(ends(await space.run()), [0, ""]);
      assertEquals(await read(space), schema);
      assertEquals([...Deno.readDirSync(`${space.path}/db`)].map((entry) => entry.name), [
        "schema.sql",
      ]);
    },
  );

  if (needsUrl === undefined) continue;

  test(
    "--check exits with 0 where the files give what was written, else with 5",
    async (space, [, other]) => {
      assertEquals(ends(await space.run()), [0, ""]);
      const check = async (url: string) => {
        return await space.run("schema", "--check", ...needsUrl ? ["--url", url] : []);
      };
      if (needsUrl) {
        const without = await space.run("schema", "--check");
        assertEquals(without.code, 2);
        assertStringIncludes(without.stderr, "an empty database for 'main' as '--url'");
        const used = await check(configured(await read(space, "config/application.yml")));
        assertEquals(used.code, 2);
        assertStringIncludes(used.stderr, "names the database of 'main'");
      }
      const same = await check(other);
      assertEquals(ends(same), [0, ""]);
      assertMatch(same.stdout, /^main: \d files give the schema of '.*\/db\/schema\.sql'\n$/);
      const filled = needsUrl ? await check(other) : undefined;
      if (filled) {
        assertEquals(filled.code, 2);
        assertStringIncludes(filled.stderr, "is not empty, so nothing was applied");
      }
    },
  );

  test("--check shows what differs", async (space, [, other]) => {
    assertEquals(ends(await space.run()), [0, ""]);
    await space.write("migrations/main/9.sql", "CREATE TABLE one_more (id INT);");
    // A new PGlite takes seconds: it is in every run above.
    const isAtServer = needsUrl || (name === "PostgreSQL" && !IS_ALL);
    const { code, stdout } = await space.run(
      ...["schema", "--check", ...isAtServer ? ["--url", other] : []],
    );
    assertEquals(code, 5, stdout);
    assertMatch(stdout, /^main: \d files give another schema than /);
    assertMatch(stdout, /^@@ -\d+,\d+ \+\d+,\d+ @@$/m);
    assertMatch(stdout, /^\+CREATE TABLE .*one_more/m);
    assertEquals(stdout.match(/^-/gm), null, stdout);
    // The database of the configuration knows nothing of it.
    assert(!(await space.run("schema")).stdout.includes("one_more"));
  });
}

function configured(config: string): string {
  return /url: "([^"]+)"/.exec(config)?.[1] ?? "";
}

Deno.test("a schema that cannot be read leaves its file, and the run is a success", async () => {
  await using space = await workspace({
    "config/application.yml": configOf("sqlite:./app.db", "config"),
    "migrations/main/1.sql": "CREATE TABLE a (id INT);",
  });
  const { code, stdout, stderr } = await space.run();
  assertEquals(code, 0);
  assertStringIncludes(stdout, "applied");
  assertMatch(
    `${stdout}${stderr}`,
    /notice: .*The schema was not written to '.*config', which is as it was: /,
  );
  assertEquals([...Deno.readDirSync(space.path)].map((entry) => entry.name).sort(), [
    ...["app.db", "app.db-migrations-lock", "config", "migrations"],
  ]);
});

Deno.test("--check in memory names PGlite and '--url' where it lacks an extension", async () => {
  await using space = await workspace();
  await space.write("config/application.yml", configOf("postgres://127.0.0.1/nowhere"));
  await space.write("db/schema.sql", "");
  await space.write("migrations/main/1.sql", "CREATE EXTENSION postgis;");
  const { code, stderr } = await space.run("schema", "--check");
  assertEquals(code, 2, stderr);
  assertStringIncludes(stderr, "PGlite lacks an extension of the files: pass the URL of an empty");
  assertStringIncludes(stderr, 'extension "postgis" is not available');
});

Deno.test("--check in memory refuses files that work on other files", async () => {
  await using space = await workspace({
    "config/application.yml": configOf("sqlite:./app.db"),
    "migrations/main/1.sql": "CREATE TABLE a (id INT);",
  });
  assertEquals((await space.run()).code, 0);
  await space.write(
    "migrations/main/2.sql",
    "-- irori: no-transaction\nATTACH 'app.db' AS live;\nDROP TABLE live.a;",
  );
  const { code, stderr } = await space.run("schema", "--check");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "'main/2.sql' uses another database file with ATTACH");
  using database = new DatabaseSync(`${space.path}/app.db`);
  assertEquals(database.prepare("SELECT count(*) AS n FROM a").get()?.n, 0);
});

Deno.test("SQLite: 'schema' says what it cannot open, and waits for who writes", async () => {
  await using space = await workspace({
    "config/application.yml": configOf("sqlite:./data/app.db"),
  });
  const absent = await space.run("schema");
  assertEquals(absent.code, 7);
  assertMatch(absent.stderr, /Cannot open '.*app.db': there is no folder '.*data'/);
  await Deno.mkdir(`${space.path}/data`);
  const none = await space.run("schema");
  assertEquals([none.code, none.stdout, none.stderr], [0, "", ""]);
  await space.write("data/app.db", "no database, but more than a hundred bytes".repeat(3));
  const other = await space.run("schema");
  assertEquals(other.code, 7);
  assertMatch(other.stderr, /^error: Cannot open '.*app.db': file is not a database\n$/);
  await Deno.remove(`${space.path}/data/app.db`);
  using database = new DatabaseSync(`${space.path}/data/app.db`);
  database.exec("CREATE TABLE a (x INT); BEGIN EXCLUSIVE");
  const waiting = space.runStarted("schema");
  setTimeout(() => database.exec("COMMIT"), 1000);
  const { code, stdout } = await waiting;
  assertEquals([code, stdout], [0, "CREATE TABLE a (x INT);\n"]);
});

Deno.test({
  name: "a missing pg_dump is reported, and its file stays",
  ignore: postgresql.postgresqlMissing !== undefined,
  async fn() {
    const { database } = await postgresql.create();
    try {
      await using space = await workspace({
        "config/application.yml": configOf(urlOf("TEST_PG_URL", database)),
        "migrations/main/1.sql": "CREATE TABLE a (id INT);",
        "db/schema.sql": "as it was",
        "bin/pg_dump":
          "#!/bin/sh\necho 'server version: 99; aborting because of mismatch' >&2\nexit 1\n",
      });
      await Deno.chmod(`${space.path}/bin/pg_dump`, 0o755);
      const older = await space.runWith({ PATH: `${space.path}/bin` });
      assertEquals(older.code, 0);
      assertStringIncludes(
        older.stderr + older.stdout,
        "pg_dump failed with exit code 1: server version: 99",
      );
      await space.write("migrations/main/2.sql", "CREATE TABLE b (id INT);");
      const absent = await space.runWith({ PATH: `${space.path}/nowhere` });
      assertEquals(absent.code, 0);
      assertStringIncludes(
        absent.stderr + absent.stdout,
        "Cannot run 'pg_dump' to read the schema",
      );
      assertEquals(await Deno.readTextFile(`${space.path}/db/schema.sql`), "as it was");
      const print = await space.runWith({ PATH: `${space.path}/nowhere` }, "schema");
      assertEquals(print.code, 2);
    } finally {
      await postgresql.cleanUp();
    }
  },
});

for (const { name, skip, urls, cleanUp, files } of SUBJECTS) {
  if (name !== "PostgreSQL" && name !== "SQLite") continue;
  Deno.test({
    name: `${name}: --check takes an empty database, and no other one`,
    ignore: skip,
    async fn() {
      await using space = await workspace();
      try {
        const [live, empty] = await urls(space);
        await space.write("config/application.yml", configOf(live));
        for (const [path, text] of Object.entries(files)) {
          await space.write(`migrations/main/${path}`, text);
        }
        assertEquals((await space.run()).code, 0);
        const check = (url: string) => space.run("schema", "--check", "--url", url);
        const same = await check(empty);
        assertEquals([same.code, same.stderr], [0, ""]);
        const cases: [url: string, message: string][] = [
          [empty, "The database that '--url' names is not empty, so nothing was applied"],
          [live, "'--url' names the database of 'main'"],
          ["mysql://127.0.0.1/other", "Expected '--url' to name a"],
          ["nonsense", "Cannot read the URL"],
        ];
        for (const [url, message] of cases) {
          const { code, stderr } = await check(url);
          assertEquals(code, 2);
          assertStringIncludes(stderr, message);
        }
      } finally {
        await cleanUp();
      }
    },
  });
}
