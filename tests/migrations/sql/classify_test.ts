import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type FileProblem, InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classifySql } from "../../../src/migrations/sql/files/classify.ts";
import { mysql } from "../../../src/migrations/sql/engines/mysql/dialect.ts";
import { postgresql } from "../../../src/migrations/sql/engines/postgresql/dialect.ts";
import { sqlite } from "../../../src/migrations/sql/engines/sqlite/dialect.ts";
import type { Dialect, SessionFacts, SqlMigration } from "../../../src/migrations/sql/mod.ts";
import { loadedFile } from "./support.ts";

const DEFAULTS = { onChange: "fail", placeholders: {} } as const;
const classify = async (
  dialect: Dialect,
  text: string,
  { path = "a.sql", ...facts }: SessionFacts & { path?: string } = {},
): Promise<SqlMigration> => {
  return classifySql(await loadedFile(path, text), dialect, DEFAULTS, facts);
};
const problemOf = async (...args: Parameters<typeof classify>): Promise<FileProblem> => {
  const { problems } = await assertRejects(() => classify(...args), InvalidFilesError);
  assertEquals(problems.length, 1);
  return problems[0]!;
};

Deno.test("classifySql says what a file is", async () => {
  const { kind, resource, onChange, repeatSafe, transactional } = await classify(
    postgresql,
    "SELECT 1;\nSELECT 2;",
  );
  assertEquals([kind, resource, onChange, repeatSafe, transactional], [
    ...["sql", "2 statements", "fail"],
    ...[true, true],
  ]);
  assertEquals((await classify(mysql, "SELECT 1")).transactional, false);
  assertEquals((await classify(mysql, "SELECT 1")).repeatSafe, false);
  assertEquals((await classify(postgresql, "")).resource, "0 statements");
});

const HEADS: [string, boolean, boolean][] = [
  ["", true, false],
  ["-- irori: no-transaction\n", false, false],
  ["-- irori: repeatable\n", true, true],
  ["-- irori: no-transaction, repeatable\n", false, true],
  ["-- A licence\n\n--irori:repeatable\r\n/* more */\n-- irori: no-transaction\n", false, true],
];

for (const [head, transactional, repeatable] of HEADS) {
  Deno.test(`classifySql reads the directives of ${JSON.stringify(head)}`, async () => {
    const migration = await classify(postgresql, `${head}SELECT 1`);
    assertEquals(migration.transactional, transactional);
    assertEquals(migration.onChange === "reapply", repeatable);
  });
}

const WRONG_HEADS: [string, number, number, string][] = [
  ["-- irori: no-transactions", 1, 11, "no directive 'no-transactions'"],
  ["\n-- irori: repeatable, once", 2, 23, "no directive 'once'"],
  ["-- irori:", 1, 10, "empty"],
  ["SELECT 1;\n  -- irori: repeatable\nSELECT 2;", 2, 3, "before the first statement"],
  ["-- irori: lock-timeout", 1, 23, "Expected a time such as 500ms, 30s or 2m"],
  ["-- irori: lock-timeout 30", 1, 24, "found '30'"],
  ["-- irori: lock-timeout 0s", 1, 24, "found '0s'"],
  ["-- irori: allow drop-table\nSELECT 1", 1, 27, "Expected a reason"],
  ["-- irori: allow drop-table: \nSELECT 1", 1, 28, "Expected a reason"],
  ["-- irori: allow : old\nSELECT 1", 1, 16, "the name of a rule"],
  ["SELECT 1;\n-- irori: allow drop-table: old", 2, 1, "before a statement"],
];

for (const [text, line, column, message] of WRONG_HEADS) {
  Deno.test(`classifySql refuses the directives of ${JSON.stringify(text)}`, async () => {
    const problem = await problemOf(postgresql, text);
    assertEquals([problem.line, problem.column], [line, column]);
    assertStringIncludes(problem.message, message);
  });
}

Deno.test("classifySql refuses a lock timeout where a database has one lock", async () => {
  const problem = await problemOf(sqlite, "-- irori: repeatable, lock-timeout 30s\nSELECT 1");
  assertEquals([problem.line, problem.column], [1, 23]);
  assertStringIncludes(problem.message, "as long as '--lock-timeout' says");
});

Deno.test("classifySql reads what is allowed, of the file and of a statement", async () => {
  const text =
    "-- irori: allow a, b: it is small: really\nSELECT 1;\n--irori: ALLOW C:old\nSELECT 2";
  const { allowances } = await classify(
    postgresql,
    `-- irori: lock-timeout 1.5s, repeatable\n${text}`,
  );
  assertEquals(allowances, [
    { rule: "a", at: 56, reason: "it is small: really" },
    { rule: "b", at: 59, reason: "it is small: really" },
    { rule: "c", at: 107, reason: "old", statement: 1 },
  ]);
});

Deno.test("classifySql takes a directive in a string for text", async () => {
  const text = "SELECT '\n-- irori: no-transaction\n'";
  assertEquals((await classify(postgresql, text)).transactional, true);
});

const REFUSED: [Dialect, string, string][] = [
  [postgresql, "COPY t (a, b) FROM stdin;\n1\t2\n\\.\n", "COPY … FROM STDIN"],
  [postgresql, "\\connect other", "'\\connect' is a command of the psql program"],
  [
    postgresql,
    "create unique index concurrently i on t (a)",
    "CREATE INDEX CONCURRENTLY cannot run",
  ],
  [postgresql, "DROP INDEX CONCURRENTLY i", "DROP INDEX CONCURRENTLY cannot run"],
  [postgresql, "REINDEX TABLE CONCURRENTLY t", "REINDEX CONCURRENTLY cannot run"],
  [postgresql, "VACUUM t", "VACUUM cannot run inside a transaction"],
  [postgresql, "CREATE DATABASE d", "CREATE DATABASE cannot run"],
  [postgresql, "ALTER SYSTEM SET a = 1", "ALTER SYSTEM cannot run"],
  [postgresql, "/* c */ commit", "COMMIT cannot be part of the file"],
  [postgresql, "ROLLBACK", "ROLLBACK cannot be part of the file"],
  [postgresql, "END", "END cannot be part of the file"],
  [postgresql, "PREPARE TRANSACTION 'x'", "PREPARE cannot be part of the file"],
  [postgresql, "START TRANSACTION", "START cannot be part of the file"],
  [sqlite, "END TRANSACTION", "END cannot be part of the file"],
  [sqlite, "VACUUM", "VACUUM cannot run inside a transaction"],
  [mysql, "LOAD DATA LOCAL INFILE 'x' INTO TABLE t", "LOAD DATA LOCAL is off"],
  [mysql, "source other.sql", "'source' is a command of the mysql program"],
];

for (const [dialect, text, message] of REFUSED) {
  Deno.test(`classifySql refuses ${JSON.stringify(text)} for ${dialect.name}`, async () => {
    const problem = await problemOf(dialect, `SELECT 1;\n${text}`);
    assertStringIncludes(problem.message, message);
    assertEquals(problem.line, 2);
  });
}

const TAKEN: [Dialect, string, resource: string][] = [
  [postgresql, "ROLLBACK TO SAVEPOINT a", "1 statement"],
  [postgresql, "ROLLBACK WORK TO a", "1 statement"],
  [postgresql, "PREPARE p AS SELECT 1", "1 statement"],
  [postgresql, "COPY t TO STDOUT", "1 statement"],
  [postgresql, "CREATE TABLE begin (a int)", "1 statement"],
  [postgresql, "REFRESH MATERIALIZED VIEW CONCURRENTLY v", "1 statement"],
  [
    postgresql,
    "-- irori: no-transaction\nBEGIN; VACUUM; COMMIT",
    "3 statements, no transaction",
  ],
  [sqlite, "PRAGMA journal_mode", "1 statement"],
  [sqlite, "PRAGMA user_version = 1", "1 statement"],
  [sqlite, "-- irori: no-transaction\nVACUUM", "1 statement, no transaction"],
  [mysql, "START TRANSACTION; COMMIT", "2 statements"],
  [mysql, "LOAD DATA INFILE 'x' INTO TABLE t", "1 statement"],
];

for (const [dialect, text, resource] of TAKEN) {
  Deno.test(`classifySql takes ${JSON.stringify(text)} for ${dialect.name}`, async () => {
    assertEquals((await classify(dialect, text)).resource, resource);
  });
}

const OWN: [Dialect, string, column: number][] = [
  [postgresql, "DROP TABLE framework_migrations", 12],
  [postgresql, 'drop table if exists a, "public"."framework_migrations" cascade', 34],
  [postgresql, "ALTER TABLE IF EXISTS ONLY public.Framework_Migrations ADD x INT", 35],
  [postgresql, "ALTER TABLE old RENAME TO framework_migrations", 27],
  [mysql, "ALTER TABLE old RENAME TO shop.framework_migrations", 32],
  [mysql, "TRUNCATE .framework_migrations", 11],
  [mysql, "ALTER TABLE .framework_migrations ADD x INT", 14],
  [mysql, "DROP TABLE .framework_migrations", 13],
  [postgresql, "TRUNCATE a, framework_migrations", 13],
  [postgresql, "LOCK TABLE framework_migrations IN ACCESS EXCLUSIVE MODE", 12],
  [mysql, "RENAME TABLE a TO b, `framework_migrations` TO c", 22],
  [mysql, "LOCK TABLES a READ, shop.framework_migrations WRITE", 26],
  [mysql, "/*!40000 ALTER TABLE `framework_migrations` DISABLE KEYS */", 22],
  [mysql, "DROP TEMPORARY TABLE FRAMEWORK_MIGRATIONS", 22],
  [sqlite, "DROP TABLE main.[framework_migrations]", 17],
];

for (const [dialect, text, column] of OWN) {
  Deno.test(`classifySql keeps the history table from ${JSON.stringify(text)}`, async () => {
    const problem = await problemOf(dialect, `SELECT 1;\n${text};`);
    assertEquals([problem.line, problem.column], [2, column]);
    assertStringIncludes(problem.message, "'framework_migrations' is the history table");
  });
}

const NOT_OWN: [Dialect, string][] = [
  [postgresql, 'DROP TABLE "Framework_Migrations", framework_migrations_old'],
  [postgresql, "DROP TABLE framework_migrations.users"],
  [postgresql, "ALTER TABLE a ADD COLUMN framework_migrations INT"],
  [postgresql, "ALTER TABLE a RENAME COLUMN b TO framework_migrations"],
  [postgresql, "SELECT 'DROP TABLE framework_migrations'"],
  [mysql, "SELECT count(*) FROM framework_migrations"],
];

for (const [dialect, text] of NOT_OWN) {
  Deno.test(`classifySql takes ${JSON.stringify(text)}, which is about another thing`, async () => {
    assertEquals((await classify(dialect, text)).statements.map(({ text }) => text), [text]);
  });
}

Deno.test("classifySql reads strings as the session does", async () => {
  const text = "SELECT 'a\\'; -- '; SELECT 2";
  const strings = { backslashes: true, ansiQuotes: true };
  assertEquals((await classify(postgresql, text)).statements.length, 1);
  assertEquals((await classify(postgresql, text, { strings })).statements.length, 2);
  const plain = { strings: { backslashes: false, ansiQuotes: false } };
  assertEquals((await classify(mysql, text)).statements.length, 2);
  assertEquals((await classify(mysql, text, plain)).statements.length, 1);
});

Deno.test("classifySql refuses a file without a transaction where there can be none, at its directive", async () => {
  const stepsRefused = "Give another URL";
  const text = "-- A licence\n-- irori: repeatable, no-transaction\nSELECT 1";
  const { line, column, message } = await problemOf(postgresql, text, { stepsRefused });
  assertEquals([line, column, message], [2, 23, stepsRefused]);
  assertEquals((await classify(postgresql, "SELECT 1", { stepsRefused })).transactional, true);
});

Deno.test("classifySql refuses a path that is too long to be recorded", async () => {
  const { message } = await problemOf(sqlite, "SELECT 1", { path: `${"é".repeat(509)}.sql` });
  assertStringIncludes(message, "longer than 512");
});

Deno.test("classifySql names the place of a string without an end", async () => {
  const { line, column, source } = await problemOf(sqlite, "SELECT 1;\n  SELECT 'a;\n");
  assertEquals([line, column, source], [2, 10, "  SELECT 'a;"]);
});

Deno.test("classifySql finds a byte order mark between statements, and minds none in a string", async () => {
  for (const dialect of [postgresql, mysql, sqlite]) {
    const { line, column, message } = await problemOf(dialect, "SELECT 1;\n\ufeffSELECT 2;");
    assertEquals([line, column], [2, 1]);
    assertStringIncludes(message, "byte order mark");
    await classify(dialect, "\ufeffSELECT '\ufeff';\nSELECT 2; -- \ufeff");
  }
});

Deno.test("classifySql refuses a down migration whatever ends its lines", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const lines = ["-- migrate:up", "SELECT 1;", "-- migrate:down", "SELECT 2;", ""];
    const { message } = await problemOf(postgresql, lines.join(end));
    assertStringIncludes(message, "A down migration begins here");
  }
});
