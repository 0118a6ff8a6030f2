/** Files that begin and end their own transaction, as golang-migrate, sqitch, EF Core and `sqlite3 .dump` write them. */
import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import { postgresql as postgresqlDialect } from "../../../src/migrations/sql/engines/postgresql/dialect.ts";
import { classifySql } from "../../../src/migrations/sql/files/classify.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { databaseTest, failing, loadedFile, migrated, outcomes } from "./support.ts";
import { libsql, pglite } from "./using_support.ts";

Deno.test.afterAll(() => pglite.close());

const COMMON = {
  "1.sql": "BEGIN;\nCREATE TABLE a (n INT);\nINSERT INTO a VALUES (1);\nCOMMIT;\n",
  "2.sql": "-- Deploy x\n\nBEGIN TRANSACTION\n;\nINSERT INTO a VALUES (2); -- done;\nEND",
};
const SQLITE = {
  ...COMMON,
  "3.sql": "PRAGMA foreign_keys=OFF;\nBEGIN IMMEDIATE;\nINSERT INTO a VALUES (3);\nCOMMIT;\n" +
    "PRAGMA foreign_keys=ON;\nPRAGMA foreign_key_check;",
};
const POSTGRESQL = {
  ...COMMON,
  "3.sql":
    "CREATE TABLE IF NOT EXISTS b (n INT);\nSTART TRANSACTION ISOLATION LEVEL READ COMMITTED;\n" +
    "CREATE FUNCTION f() RETURNS INT LANGUAGE sql BEGIN ATOMIC SELECT 1; END;\n" +
    "INSERT INTO a VALUES (3);\nCOMMIT AND NO CHAIN;",
};

const ENGINES = [
  ["SQLite", sqlite, undefined, SQLITE],
  ["libSQL", libsql, undefined, SQLITE],
  ["PGlite", pglite, undefined, POSTGRESQL],
  ["PostgreSQL", postgresql, postgresql.postgresqlMissing, POSTGRESQL],
] as const;

for (const [engine, support, missing, tree] of ENGINES) {
  databaseTest(
    `a pair around a file is the transaction of the run on ${engine}`,
    support,
    missing,
    async (datasource) => {
      assertEquals(outcomes(await migrated(datasource, tree)).map((line) => line.slice(6)), [
        ...Array(3).fill("applied"),
      ]);
      const failed = "BEGIN;\nDELETE FROM a;\nINSERT INTO nowhere VALUES (1);\nCOMMIT;";
      const error = await failing(MigrationFailedError, datasource, { ...tree, "4.sql": failed });
      assertMatch(
        error.message,
        /statement 2 of 2[^]*Nothing of the file is applied/,
      );
      assertEquals(error.line, 3);
      const query =
        "SELECT (SELECT count(*) FROM a) AS a, (SELECT count(*) FROM framework_migrations) AS f";
      const [found] = await support.query(datasource, query);
      assertEquals([Number(found!.a), Number(found!.f)], [3, 3]);
    },
  );
}

databaseTest(
  "MariaDB applies what a file begins and commits itself",
  mysql,
  mysql.mysqlMissing,
  async (datasource) => {
    const tree = {
      "1.sql": "CREATE TABLE a (n INT);",
      "2.sql": "START TRANSACTION;\nINSERT INTO a VALUES (1);\nCOMMIT;",
    };
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql applied", "2.sql applied"]);
  },
);

const classify = async (text: string) =>
  classifySql(await loadedFile("1.sql", text), postgresqlDialect, {
    ...{ onChange: "fail", placeholders: {} },
  });

for (
  const text of [
    "BEGIN;\nSELECT 1;\nCOMMIT;\nSELECT 2;",
    "BEGIN;\nSELECT 1;\nCOMMIT;\nBEGIN;\nSELECT 2;\nCOMMIT;",
    "BEGIN;\nSELECT 1;\nCOMMIT AND CHAIN;",
    "BEGIN;\nSELECT 1;\nROLLBACK;",
    "BEGIN ISOLATION LEVEL SERIALIZABLE;\nSELECT 1;\nCOMMIT;",
    "SELECT 1;\nCOMMIT;",
    "BEGIN;\nSELECT 1;",
    "COMMIT;\nBEGIN;",
  ]
) {
  Deno.test(`classifySql refuses ${JSON.stringify(text)}, which is no pair around the file`, async () => {
    const found = await classify(text).catch((error) => error.problems[0]);
    assertMatch(found.message, /(?:BEGIN|COMMIT|ROLLBACK) cannot be part of the file/);
  });
}

Deno.test("classifySql keeps places, allowances and statements of a file without its pair", async () => {
  const statement = fc.constantFrom(
    "SELECT 1",
    "-- irori: allow drop-table: old\nDROP TABLE t",
    "SELECT ';''COMMIT;'",
    "/* BEGIN; */ SELECT $$;$$",
    "SET standard_conforming_strings = off;\nSELECT 'a\\';b'",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { minLength: 1 }), async (list) => {
      const plain = await classify(`     ;\n${list.join(";\n")};\n      ;`);
      const paired = await classify(`BEGIN;\n${list.join(";\n")};\nCOMMIT;`);
      const shown = ({ statements, turns, allowances }: typeof plain) => ({
        statements: statements.map((
          { text, start, end },
        ) => [text, start - plain.statements[0]!.start, end]),
        turns,
        allowances: allowances.map(({ rule, statement = 0 }) => [rule, statement]),
      });
      assertEquals(shown(paired).turns, shown(plain).turns);
      assertEquals(shown(paired).allowances, shown(plain).allowances);
      assertEquals(
        paired.statements.map(({ text }) => text),
        plain.statements.map(({ text }) => text),
      );
      for (const { text, start, end } of paired.statements) {
        assertEquals(paired.script.text.slice(start, end), text);
      }
      assertEquals(/^\s*BEGIN|COMMIT\s*;?\s*$/.test(paired.script.text), false);
    }),
    { numRuns: 50 },
  );
});
