import { MYSQL } from "./grammar.ts";
import type { Dialect, TablesAsked } from "../../types.ts";

/** Statements that may have done a part of their work when they fail. */
const COMPOSITE = ["CALL", "EXECUTE", "BEGIN", "IF", "CASE", "LOOP", "REPEAT", "WHILE", "FOR"];
/** Those that do so when they name several things: MariaDB drops those that are there. */
const LISTS = ["DROP", "GRANT", "REVOKE"];
const ACCOUNTS = ["USER", "ROLE"];

/** MySQL 8 and MariaDB 10.6 and later through npm `mysql2`. Definitions commit by themselves there. */
export const mysql: Dialect = {
  name: "MySQL",
  grammar: MYSQL,
  transactional: false,
  lockTimeoutRefused: "",
  pair: [/(?!)/, /(?!)/],
  refuse({ words: [first = "", second = ""], text }) {
    if (
      first === "LOAD" && /^LOAD\s+(DATA|XML)\s+((LOW_PRIORITY|CONCURRENT)\s+)?LOCAL\b/i.test(text)
    ) {
      return `LOAD ${second} LOCAL is off, because the server could ask for any file of this machine: ` +
        "write the rows as INSERT";
    }
    if (first === "SOURCE" || text.startsWith("\\")) {
      return `'${text.split(/\s/)[0]}' is a command of the mysql program, no SQL`;
    }
  },
  harmless: () => [],
  isAtomic({ words: [first = "", second = ""], text }) {
    if (COMPOSITE.includes(first)) return false;
    return !text.includes(",") || !(LISTS.includes(first) || ACCOUNTS.includes(second));
  },
  tables,
};

function tables({ here }: TablesAsked): string {
  const isHere = `t.TABLE_SCHEMA IN (${here("DATABASE()")})`;
  return "SELECT CONCAT('`', REPLACE(t.TABLE_SCHEMA, '`', '``'), '`.`', REPLACE(t.TABLE_NAME, '`', '``'), '`') AS place, " +
    "t.TABLE_NAME AS name, t.TABLE_SCHEMA AS `schema`, t.TABLE_SCHEMA <> DATABASE() AS elsewhere, " +
    `${isHere} AS here, 1 AS readable, GROUP_CONCAT(c.COLUMN_NAME) AS fields FROM information_schema.TABLES t ` +
    "JOIN information_schema.COLUMNS c ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME " +
    `WHERE (t.TABLE_SCHEMA = DATABASE() OR ${isHere}) AND t.TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED') ` +
    "GROUP BY t.TABLE_SCHEMA, t.TABLE_NAME ORDER BY 1";
}
