import { assertEquals } from "@std/assert";
import { cleanMysql, cleanPostgresql } from "../../../src/features/schema/clean.ts";

Deno.test("cleanMysql takes away counters, who has defined what, and nothing else", () => {
  const cases: [line: string, expected: string][] = [
    [
      ") ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4;",
      ") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;",
    ],
    ["/*M!999999\\- enable the sandbox mode */ ", ""],
    ["/*!50013 DEFINER=`root`@`%` SQL SECURITY INVOKER */", "/*!50013 SQL SECURITY INVOKER */"],
    [
      "/*!50013 DEFINER=`a``b`@`localhost` SQL SECURITY DEFINER */",
      "/*!50013 SQL SECURITY DEFINER */",
    ],
    [
      "/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN",
      "/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN",
    ],
    ["CREATE DEFINER=`root`@`%` PROCEDURE `p`()", "CREATE PROCEDURE `p`()"],
    [
      "  SELECT 'DEFINER=`a`@`b` AUTO_INCREMENT=7';",
      "  SELECT 'DEFINER=`a`@`b` AUTO_INCREMENT=7';",
    ],
  ];
  for (const [line, expected] of cases) {
    assertEquals(
      cleanMysql(`a\n${line}\nb\n`),
      `a\n${expected === "" ? "" : `${expected}\n`}b\n`,
      line,
    );
  }
});

Deno.test("cleanPostgresql takes away versions, tokens and time limits of its head alone", () => {
  const dump =
    "--\n-- PostgreSQL database dump\n--\n\n\\restrict abc\n\n-- Dumped from database version 15.2\n" +
    "-- Dumped by pg_dump version 17.1\n\nSET statement_timeout = 0;\nSET transaction_timeout = 0;\n" +
    "SET check_function_bodies = false;\n\n--\n-- Name: f(); Type: FUNCTION; Schema: public; Owner: -\n--\n\n" +
    "CREATE FUNCTION f() AS $$\n-- Dumped by me\nSET lock_timeout = 0;\n\n\n$$;\n\n\n" +
    "--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict abc\n";
  assertEquals(
    cleanPostgresql(dump),
    "SET check_function_bodies = false;\n\n--\n-- Name: f(); Type: FUNCTION; Schema: public; Owner: -\n--\n\n" +
      "CREATE FUNCTION f() AS $$\n-- Dumped by me\nSET lock_timeout = 0;\n\n\n$$;\n",
  );
});
