import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InvalidFileError } from "../../../src/migrations/runner/mod.ts";
import { classifySql } from "../../../src/migrations/sql/classify.ts";
import { mysql } from "../../../src/migrations/sql/dialects/mysql.ts";
import { postgresql } from "../../../src/migrations/sql/dialects/postgresql.ts";
import { sqlite } from "../../../src/migrations/sql/dialects/sqlite.ts";
import type { Dialect, SqlMigration } from "../../../src/migrations/sql/mod.ts";
import { filesOf } from "./support.ts";

const DEFAULTS = { enabled: true, onChange: "fail", placeholders: {} } as const;
const classify = async (dialect: Dialect, text: string, path = "a.sql"): Promise<SqlMigration> => {
  const [file] = await filesOf({ [path]: text });
  assert(file);
  return classifySql(file, dialect, DEFAULTS);
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
];

for (const [text, line, column, message] of WRONG_HEADS) {
  Deno.test(`classifySql refuses the directives of ${JSON.stringify(text)}`, async () => {
    const { problem } = await classify(postgresql, text).catch((error) => error);
    assertEquals([problem.line, problem.column], [line, column]);
    assertStringIncludes(problem.message, message);
  });
}

Deno.test("classifySql takes a directive in a string for text", async () => {
  await classify(postgresql, "SELECT '\n-- irori: nonsense\n'");
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
    const { problem } = await classify(dialect, `SELECT 1;\n${text}`).catch((error) => error);
    assertStringIncludes(problem.message, message);
    assertEquals(problem.line, 2);
  });
}

const TAKEN: [Dialect, string][] = [
  [postgresql, "ROLLBACK TO SAVEPOINT a"],
  [postgresql, "ROLLBACK WORK TO a"],
  [postgresql, "PREPARE p AS SELECT 1"],
  [postgresql, "COPY t TO STDOUT"],
  [postgresql, "CREATE TABLE begin (a int)"],
  [postgresql, "REFRESH MATERIALIZED VIEW CONCURRENTLY v"],
  [postgresql, "-- irori: no-transaction\nBEGIN; VACUUM; COMMIT"],
  [sqlite, "PRAGMA journal_mode"],
  [sqlite, "PRAGMA user_version = 1"],
  [sqlite, "-- irori: no-transaction\nVACUUM"],
  [mysql, "START TRANSACTION; COMMIT"],
  [mysql, "LOAD DATA INFILE 'x' INTO TABLE t"],
];

for (const [dialect, text] of TAKEN) {
  Deno.test(`classifySql takes ${JSON.stringify(text)} for ${dialect.name}`, async () => {
    await classify(dialect, text);
  });
}

Deno.test("classifySql refuses a path that is too long to be recorded", async () => {
  const [file] = await filesOf({ [`${"é".repeat(509)}.sql`]: "SELECT 1" });
  assert(file);
  assertThrows(() => classifySql(file, sqlite, DEFAULTS), InvalidFileError, "longer than 512");
});

Deno.test("classifySql names the place of a string without an end", async () => {
  const { problem } = await classify(sqlite, "SELECT 1;\n  SELECT 'a;\n").catch((error) => error);
  assertEquals([problem.line, problem.column, problem.source], [2, 10, "  SELECT 'a;"]);
});
