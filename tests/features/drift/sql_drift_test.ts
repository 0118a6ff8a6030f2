/** `drift` of databases: what was changed by hand is found, and nothing else. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { type Workspace, workspace } from "../../e2e/command_line.ts";
import { IS_ALL } from "../../long/mod.ts";
import * as mariadb from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";

interface Subject {
  readonly name: string;
  readonly skip: boolean;
  readonly files: Readonly<Record<string, string>>;
  /** Statements that a user may run by hand, each with a text that the difference must contain. */
  readonly changes: readonly (readonly [sql: string, shown: string])[];
  /** Objects of another program: `logs`, `ext…`, and all that belong to `logs`. */
  readonly others: readonly string[];
  /** The URLs of the database and of two empty ones, and what runs a statement on the first. */
  open(space: Workspace): Promise<{
    readonly url: string;
    readonly empty: readonly [string, string];
    readonly ask: (sql: string) => Promise<unknown>;
  }>;
  cleanUp(): Promise<void>;
  /** Whether files can only be applied at `--url`. */
  readonly needsUrl?: boolean;
}

function urlOf(variable: string, database: string): string {
  return Object.assign(new URL(Deno.env.get(variable)!), { pathname: `/${database}` }).href;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: "SQLite",
    skip: false,
    files: {
      "1.sql": "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT);\n" +
        "CREATE INDEX by_name ON users (name);",
      "2.sql": "CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INT REFERENCES users);\n" +
        "CREATE VIEW named AS SELECT name FROM users;\n" +
        "CREATE TRIGGER kept AFTER INSERT ON users BEGIN UPDATE users SET age = 1; END;",
      "3.sql":
        "CREATE TABLE a (id INT); CREATE TABLE b (id INT); CREATE TABLE c (id INT, x INT, y INT);",
    },
    changes: [
      ["CREATE TABLE by_hand (id INT)", "+CREATE TABLE by_hand"],
      ["DROP TABLE a", "-CREATE TABLE a"],
      ["ALTER TABLE users ADD COLUMN email TEXT", "email"],
      ["ALTER TABLE c DROP COLUMN x", "+CREATE TABLE c (id INT, "],
      ["ALTER TABLE c RENAME COLUMN y TO title", "title"],
      ["ALTER TABLE b RENAME TO remarks", "remarks"],
      ["CREATE INDEX by_age ON users (age)", "+CREATE INDEX by_age"],
      ["DROP INDEX by_name", "-CREATE INDEX by_name"],
      ["CREATE VIEW other AS SELECT 1", "+CREATE VIEW other"],
      ["DROP VIEW named", "-CREATE VIEW named"],
      ["DROP TRIGGER kept", "-CREATE TRIGGER kept"],
      ["CREATE TRIGGER own AFTER DELETE ON users BEGIN SELECT 1; END", "+CREATE TRIGGER own"],
      ["CREATE UNIQUE INDEX one ON users (name, age)", "+CREATE UNIQUE INDEX one"],
    ],
    others: [
      "CREATE TABLE logs (id INT, at TEXT)",
      "create index of_logs on logs (at)",
      "CREATE TRIGGER on_logs AFTER INSERT ON logs BEGIN UPDATE users SET age = 1; SELECT 2; END",
      "CREATE VIEW ext_view AS SELECT * FROM logs",
    ],
    open(space) {
      const ask = (sql: string) => {
        const database = new DatabaseSync(`${space.path}/app.db`);
        try {
          database.exec(sql);
        } finally {
          database.close();
        }
        return Promise.resolve();
      };
      return Promise.resolve({
        url: "sqlite:./app.db",
        empty: ["sqlite:./a.db", "sqlite:./b.db"],
        ask,
      });
    },
    cleanUp: () => Promise.resolve(),
  },
  {
    name: "PostgreSQL",
    skip: postgresql.postgresqlMissing !== undefined,
    files: {
      "1.sql":
        "CREATE TABLE users (id bigserial PRIMARY KEY, name varchar(40) NOT NULL, age int DEFAULT 0);\n" +
        "CREATE INDEX by_name ON users (name); CREATE TYPE mood AS ENUM ('sad', 'glad');",
      "2.sql":
        "CREATE TABLE notes (id int PRIMARY KEY, user_id bigint CONSTRAINT of_user REFERENCES users);\n" +
        "CREATE VIEW named AS SELECT name FROM users;\n" +
        "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';",
      "3.sql": "CREATE TABLE a (x varchar(40), y int);",
    },
    changes: [
      ["CREATE TABLE by_hand (id int)", "+CREATE TABLE public.by_hand"],
      ["ALTER TABLE users ADD COLUMN email text", "+    email text"],
      ["ALTER TABLE a DROP COLUMN y", "-    y integer"],
      ["ALTER TABLE a ALTER COLUMN x TYPE varchar(80)", "x character varying(80)"],
      ["ALTER TABLE users ALTER COLUMN name DROP NOT NULL", "+    name character varying(40)"],
      ["ALTER TABLE users ALTER COLUMN age SET DEFAULT 1", "DEFAULT 1"],
      ["CREATE INDEX by_age ON users (age)", "+CREATE INDEX by_age"],
      ["DROP INDEX by_name", "-CREATE INDEX by_name"],
      ["ALTER TABLE notes DROP CONSTRAINT of_user", "-    ADD CONSTRAINT of_user"],
      ["ALTER TABLE users ADD CHECK (age >= 0)", "CHECK ((age >= 0))"],
      ["ALTER TYPE mood ADD VALUE 'angry'", "+    'angry'"],
      [
        "CREATE OR REPLACE VIEW named AS SELECT upper(name)::varchar(40) AS name FROM users",
        "upper",
      ],
      ["CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 2'", "SELECT 2"],
      ["COMMENT ON TABLE users IS 'by hand'", "+COMMENT ON TABLE public.users"],
      ["ALTER TABLE users ENABLE ROW LEVEL SECURITY", "ENABLE ROW LEVEL SECURITY"],
      ["CREATE SCHEMA own", "+CREATE SCHEMA own"],
    ],
    others: [
      "CREATE TABLE logs (id serial PRIMARY KEY, at date CONSTRAINT later CHECK (at > '2000-01-01'))",
      "CREATE INDEX of_logs ON logs (at)",
      "COMMENT ON TABLE logs IS 'x'",
      "COMMENT ON COLUMN logs.at IS 'x'",
      "COMMENT ON INDEX of_logs IS 'x'",
      "COMMENT ON CONSTRAINT later ON logs IS 'x'",
      "CREATE STATISTICS both_logs ON id, at FROM logs",
      "CREATE RULE no_logs AS ON DELETE TO logs DO INSTEAD NOTHING",
      "ALTER TABLE logs ENABLE ROW LEVEL SECURITY",
      "CREATE POLICY see_logs ON logs USING (true)",
      "CREATE FUNCTION ext_trigger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
      "CREATE FUNCTION ext_sum(a int, b text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "CREATE TRIGGER on_logs BEFORE INSERT ON logs FOR EACH ROW EXECUTE FUNCTION ext_trigger()",
      "CREATE SCHEMA extra",
      "CREATE TABLE extra.jobs (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY)",
      "CREATE TYPE ext_kind AS ENUM ('a')",
      "CREATE EXTENSION pg_trgm SCHEMA extra",
    ],
    open: async () => {
      const [one, ...others] = [
        await postgresql.create(),
        await postgresql.create(),
        await postgresql.create(),
      ];
      return {
        url: urlOf("TEST_PG_URL", one!.database),
        empty: others.map(({ database }) => urlOf("TEST_PG_URL", database)) as [string, string],
        ask: (sql) => postgresql.query(one!, sql),
      };
    },
    cleanUp: postgresql.cleanUp,
  },
  {
    name: "MariaDB",
    skip: mariadb.mysqlMissing !== undefined,
    files: {
      "1.sql":
        "CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL, KEY by_name (name));",
      "2.sql":
        "CREATE TABLE notes (id INT PRIMARY KEY, user_id INT, CONSTRAINT of_user FOREIGN KEY (user_id) " +
        "REFERENCES users (id));\nCREATE VIEW named AS SELECT name FROM users;\n" +
        "CREATE TRIGGER kept BEFORE INSERT ON users FOR EACH ROW SET NEW.name = trim(NEW.name);",
      "3.sql": "CREATE TABLE a (x VARCHAR(40));",
    },
    changes: [
      ["CREATE TABLE by_hand (id INT)", "+CREATE TABLE `by_hand`"],
      ["ALTER TABLE users ADD COLUMN email TEXT", "+  `email` text"],
      ["ALTER TABLE a MODIFY x VARCHAR(80)", "varchar(80)"],
      ["ALTER TABLE users MODIFY name VARCHAR(40) NULL", "varchar(40) DEFAULT NULL"],
      ["CREATE INDEX by_id ON notes (id, user_id)", "KEY `by_id`"],
      ["DROP INDEX by_name ON users", "-  KEY `by_name`"],
      ["ALTER TABLE notes DROP FOREIGN KEY of_user", "CONSTRAINT `of_user`"],
      ["DROP TRIGGER kept", "TRIGGER kept"],
      ["CREATE PROCEDURE own() SELECT 1", "PROCEDURE `own`"],
      ["ALTER TABLE users COMMENT 'by hand'", "COMMENT='by hand'"],
      ["CREATE OR REPLACE VIEW named AS SELECT upper(name) AS name FROM users", "ucase"],
    ],
    others: [
      "CREATE TABLE logs (id INT PRIMARY KEY, at DATE)",
      "CREATE TRIGGER on_logs BEFORE INSERT ON logs FOR EACH ROW SET NEW.at = now()",
      "CREATE VIEW ext_view AS SELECT * FROM logs",
      "CREATE VIEW z_ext_view AS SELECT * FROM logs",
      "CREATE SEQUENCE ext_numbers",
      "CREATE PROCEDURE ext_run() SELECT 1",
      "CREATE FUNCTION ext_sum(a INT) RETURNS INT DETERMINISTIC RETURN a",
      "CREATE EVENT ext_daily ON SCHEDULE EVERY 1 DAY STARTS '2024-01-01' DO DELETE FROM logs",
    ],
    open: async () => {
      const [one, ...others] = [
        await mariadb.create(),
        await mariadb.create(),
        await mariadb.create(),
      ];
      return {
        url: urlOf("TEST_MYSQL_URL", one!.database),
        empty: others.map(({ database }) => urlOf("TEST_MYSQL_URL", database)) as [string, string],
        ask: (sql) => mariadb.query(one!, sql),
      };
    },
    cleanUp: mariadb.cleanUp,
    needsUrl: true,
  },
];

function configOf(url: string, more: object = {}): string {
  return JSON.stringify({
    datasource: [{ name: "main", url, migrations: { enabled: true, ...more } }],
  });
}

for (const { name, skip, files, changes, others, open, cleanUp, needsUrl } of SUBJECTS) {
  const test = (
    what: string,
    body: (space: Workspace, opened: Awaited<ReturnType<Subject["open"]>>) => Promise<void>,
  ) =>
    Deno.test({
      name: `${name}: drift ${what}`,
      ignore: skip,
      async fn() {
        await using space = await workspace();
        try {
          const opened = await open(space);
          await space.write("config/application.yml", configOf(opened.url));
          for (const [path, text] of Object.entries(files)) {
            await space.write(`migrations/main/${path}`, text);
          }
          assertEquals((await space.run()).code, 0);
          await body(space, opened);
        } finally {
          await cleanUp();
        }
      },
    });

  test(
    "is empty right after a run, and shows each change by hand",
    async (space, { url, empty, ask }) => {
      const server = needsUrl ? ["--url", empty[0]] : [];
      const same = await space.run("drift", ...server);
      const none = "main: no drift from 3 applied files\n";
      assertEquals([same.code, same.stdout, same.stderr], [0, none, ""]);
      await space.write("config/application.yml", configOf(url, { schema_file: "db/schema.sql" }));
      await space.write("db/schema.sql", (await space.run("schema")).stdout);
      const asWritten = await space.run("drift");
      assertMatch(asWritten.stdout, /^main: no drift from '.*schema\.sql'\n$/);

      for (const [sql] of changes) await ask(sql);
      const written = await space.run("drift");
      await space.write("config/application.yml", configOf(url));
      await space.write("migrations/main/4.sql", "CREATE TABLE pending (id INT);");
      const { code, stdout } = await space.run("drift", ...needsUrl ? ["--url", empty[1]] : []);
      assertEquals([written.code, code], [5, 5]);
      for (const [sql, shown] of changes) {
        for (const text of [written.stdout, stdout]) {
          assert(text.includes(shown), `${sql}: '${shown}' is missing in\n${text}`);
        }
      }
      assert(!stdout.includes("pending"), stdout);
    },
  );

  test(
    "leaves out objects of drift_ignore, and shows changes beside them",
    async (space, opened) => {
      const { url, empty, ask } = opened;
      // A new PGlite takes seconds: it is in every run above.
      const isAtServer = needsUrl || (name === "PostgreSQL" && !IS_ALL);
      const server = (at: 0 | 1) => isAtServer ? ["--url", empty[at]] : [];
      const ignored = { drift_ignore: ["logs", "*ext_*", "extra.*"] };
      await space.write("config/application.yml", configOf(url, ignored));
      for (const sql of others) await ask(sql);
      const same = await space.run("drift", ...server(0));
      assertEquals([same.code, same.stdout], [0, "main: no drift from 3 applied files\n"]);
      for (const [sql] of changes) await ask(sql);
      const { code, stdout } = await space.run("drift", ...server(1));
      assertEquals(code, 5);
      for (const [sql, shown] of changes) {
        assert(stdout.includes(shown), `${sql}: '${shown}' is missing in\n${stdout}`);
      }
      assert(!/logs|ext_|extra/.test(stdout), stdout);
    },
  );
}

Deno.test({
  name: "MariaDB: drift compares with a database at --url of another collation",
  ignore: mariadb.mysqlMissing !== undefined,
  async fn() {
    await using space = await workspace();
    try {
      const [live, empty] = [await mariadb.create(), await mariadb.create()];
      await mariadb.query(live, "ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
      await mariadb.query(empty, "ALTER DATABASE CHARACTER SET latin1 COLLATE latin1_german1_ci");
      await space.write("config/application.yml", configOf(urlOf("TEST_MYSQL_URL", live.database)));
      await space.write("migrations/main/1.sql", "CREATE TABLE users (name VARCHAR(40));");
      assertEquals((await space.run()).code, 0);
      const { code, stdout } = await space.run(
        ...["drift", "--url", urlOf("TEST_MYSQL_URL", empty.database)],
      );
      assertEquals([code, stdout], [0, "main: no drift from 1 applied file\n"]);
    } finally {
      await mariadb.cleanUp();
    }
  },
});

Deno.test("drift leaves out what drift_ignore names, and what belongs to it", async () => {
  await using space = await workspace();
  const ignored = configOf("sqlite:./app.db", { drift_ignore: ["audit_*", "by_hand"] });
  await space.write("config/application.yml", ignored);
  await space.write("migrations/main/1.sql", "CREATE TABLE users (id INT);");
  assertEquals((await space.run()).code, 0);
  using database = new DatabaseSync(`${space.path}/app.db`);
  database.exec(
    "CREATE TABLE audit_log (id INT); CREATE INDEX by_log ON audit_log (id); CREATE INDEX by_hand ON users (id);\n" +
      "CREATE TRIGGER of_log AFTER INSERT ON audit_log BEGIN SELECT 1; SELECT 2; END;",
  );
  assertEquals((await space.run("drift")).code, 0);
  database.exec("CREATE INDEX other ON users (id)");
  const { code, stdout } = await space.run("drift", "--json");
  assertEquals(code, 5);
  const [{ differences }] = JSON.parse(stdout).connections;
  assertEquals(differences.filter((line: string) => /^[+-]C/.test(line)), [
    "+CREATE INDEX other ON users (id);",
  ]);
});

for (
  const [what, change, message] of [
    [
      "a file that was edited",
      (space: Workspace) => space.write("migrations/main/1.sql", "SELECT 2;"),
      /'1\.sql' is changed/,
    ],
    [
      "a file that was deleted",
      (space: Workspace) => Deno.remove(`${space.path}/migrations/main/1.sql`),
      /'1\.sql' is missing/,
    ],
  ] as const
) {
  Deno.test(`drift refuses ${what}: what the schema should be is not known`, async () => {
    await using space = await workspace();
    await space.write("config/application.yml", configOf("sqlite:./app.db"));
    await space.write("migrations/main/1.sql", "CREATE TABLE users (id INT);");
    await space.write("migrations/main/2.sql", "CREATE TABLE notes (id INT);");
    assertEquals((await space.run()).code, 0);
    await change(space);
    const { code, stderr, stdout } = await space.run("drift");
    assertEquals([code, stdout], [2, ""]);
    assertMatch(stderr, message);
  });
}

Deno.test("drift refuses a baseline without a schema file, and a database without a run", async () => {
  await using space = await workspace();
  await space.write("config/application.yml", configOf("sqlite:./app.db"));
  await space.write("migrations/main/1.sql", "CREATE TABLE users (id INT);");
  const before = await space.run("drift");
  assertEquals(before.code, 2);
  assertStringIncludes(before.stderr, "no file is recorded");
  assertEquals((await space.run("baseline", "--until", "1.sql")).code, 0);
  const { code, stderr } = await space.run("drift");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "'1.sql' was recorded without applying it");
});

Deno.test("drift takes a file for applied whose checksum of another tool fits, and no other one", async () => {
  await using space = await workspace();
  await space.write("config/application.yml", configOf("sqlite:./app.db"));
  const text = "CREATE TABLE users (id INT);\n";
  await space.write("migrations/main/1_a/migration.sql", text);
  const hash = createHash("sha256").update(text).digest("hex");
  {
    using database = new DatabaseSync(`${space.path}/app.db`);
    database.exec(text);
    database.exec(
      "CREATE TABLE _prisma_migrations (id, checksum, finished_at, migration_name, logs, rolled_back_at, " +
        "started_at, applied_steps_count); INSERT INTO _prisma_migrations VALUES ('a', " +
        `'${hash}', 1767323045000, '1_a', NULL, NULL, 1767323045000, 1)`,
    );
  }
  await space.write("migrations/main/1_a/migration.sql", text.replace("users", "people"));
  const changed = await space.run("adopt", "--changed", "1_a/migration.sql");
  assertEquals(changed.code, 0, changed.stderr);
  assertStringIncludes((await space.run("drift")).stderr, "was recorded without applying it");
  await space.write("migrations/main/1_a/migration.sql", text);
  {
    using database = new DatabaseSync(`${space.path}/app.db`);
    database.exec("DELETE FROM framework_migrations");
  }
  assertEquals((await space.run("adopt")).code, 0);
  const { code, stdout, stderr } = await space.run("drift");
  assertEquals(stderr, "");
  assertStringIncludes(stdout, "_prisma_migrations");
  assertEquals(code, 5);
  const ignored = configOf("sqlite:./app.db", { drift_ignore: ["_prisma_migrations"] });
  await space.write("config/application.yml", ignored);
  assertEquals((await space.run("drift")).code, 0);
});
