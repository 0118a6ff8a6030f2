import { assertEquals } from "@std/assert";
import { MYSQL } from "../../../../src/migrations/sql/engines/mysql/grammar.ts";
import { POSTGRESQL } from "../../../../src/migrations/sql/engines/postgresql/grammar.ts";
import { SQLITE } from "../../../../src/migrations/sql/engines/sqlite/dialect.ts";
import { withStrings } from "../../../../src/migrations/sql/syntax/grammar.ts";
import { split } from "../../../../src/migrations/sql/syntax/splitter.ts";

/** Statements that set how strings end, and whether a backslash escapes behind them, and `"…"` is a name. */
const MYSQL_MODES: readonly (readonly [text: string, backslashes: boolean, ansiQuotes: boolean])[] =
  [
    ["SET sql_mode = ''", true, false],
    ["SET sql_mode = 'ANSI_QUOTES'", true, true],
    ["set @@sql_mode := 'no_backslash_escapes,strict_all_tables'", false, false],
    ["SET SESSION sql_mode = ANSI", true, true],
    ["SET LOCAL sql_mode = 'ORACLE'", true, true],
    ["SET @@session.sql_mode = 1048580", false, true],
    ["/*!40101 SET SQL_MODE='NO_BACKSLASH_ESCAPES' */", false, false],
    ["SET @old = @@sql_mode, sql_mode = 'ANSI_QUOTES', NAMES utf8mb4", true, true],
    ["SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')", true, true],
    [
      "SET sql_mode = (SELECT REPLACE(CONCAT('ANSI_QUOTES,', @@sql_mode), 'ANSI_QUOTES', ''))",
      true,
      false,
    ],
    // Settings of other sessions change nothing here.
    ["SET GLOBAL sql_mode = 'ANSI_QUOTES'", true, false],
    ["SET @@global.sql_mode = 'ANSI_QUOTES'", true, false],
    ["SET @sql_mode = 'ANSI_QUOTES'", true, false],
    ["SELECT 'SET sql_mode = ANSI_QUOTES'", true, false],
    ["CREATE PROCEDURE p() SET sql_mode = 'ANSI_QUOTES'", true, false],
  ];

for (const [text, backslashes, ansiQuotes] of MYSQL_MODES) {
  Deno.test(`split follows MySQL's ${text}`, () => {
    const { statements } = split(`${text};\nSELECT 'a\\', ";', "b\\", "c;"`, MYSQL);
    // Behind it, either string ends in a way of its own.
    const expected = split(
      `SELECT 'a\\', ";', "b\\", "c;"`,
      withStrings(MYSQL, { backslashes, ansiQuotes }),
    ).statements.map(({ text }) => text);
    assertEquals(statements.slice(1).map(({ text }) => text), expected);
  });
}

Deno.test("split brings MySQL's mode back from where a dump has kept it", () => {
  const text = "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_BACKSLASH_ESCAPES' */;\n" +
    "SELECT '\\';\n/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;\nSELECT '\\';';\nSELECT 2;";
  const { statements, turns } = split(text, MYSQL);
  assertEquals(statements.map(({ text }) => text).filter((text) => text.startsWith("SELECT")), [
    "SELECT '\\'",
    "SELECT '\\';'",
    "SELECT 2",
  ]);
  assertEquals(turns, [0, 2]);
});

const POSTGRESQL_SETTINGS: readonly (readonly [text: string, backslashes: boolean])[] = [
  ["SET standard_conforming_strings = off", true],
  ["set session Standard_Conforming_Strings to 'FALSE'", true],
  ["SET LOCAL standard_conforming_strings = 0", true],
  ["SET standard_conforming_strings = on", false],
  ["SET search_path = off", false],
  ["SET standard_conforming_strings = off; RESET standard_conforming_strings", false],
  ["SET standard_conforming_strings = off; RESET ALL", false],
  ["SET standard_conforming_strings = off; DISCARD ALL", false],
  ["SET standard_conforming_strings = off; SET standard_conforming_strings = DEFAULT", false],
  ["SET standard_conforming_strings = off; RESET search_path; DISCARD PLANS", true],
];

for (const [text, backslashes] of POSTGRESQL_SETTINGS) {
  Deno.test(`split follows PostgreSQL's ${text}`, () => {
    const { statements } = split(`${text}; SELECT '\\'; SELECT '`, POSTGRESQL);
    assertEquals(statements.at(-1)?.text, backslashes ? "SELECT '\\'; SELECT '" : "SELECT '");
  });
}

Deno.test("split says behind which statements strings end in another way", () => {
  const text =
    "SET standard_conforming_strings = on; SELECT 1; SET standard_conforming_strings = off; " +
    "SELECT 2; SET standard_conforming_strings = false; RESET ALL; SELECT 3";
  assertEquals(split(text, POSTGRESQL).turns, [2, 5]);
  assertEquals(split("SET sql_mode = 'ANSI_QUOTES'; SELECT 1", SQLITE).turns, []);
});
