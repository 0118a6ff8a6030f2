import type { Statement } from "../../syntax/grammar.ts";
import type { Dialect, TablesAsked } from "../../types.ts";
import { POSTGRESQL } from "./grammar.ts";
import { outsideOnly, refuseTransactionControl } from "../shared/own_errors.ts";

/** PostgreSQL 13 and later through npm `pg`. */
export const postgresql: Dialect = {
  name: "PostgreSQL",
  grammar: POSTGRESQL,
  transactional: true,
  lockTimeoutRefused: "",
  pair: [
    /^(?:BEGIN|START TRANSACTION)(?: WORK| TRANSACTION)?(?: ISOLATION LEVEL READ COMMITTED| READ WRITE)*$/,
    /^(?:COMMIT|END)(?: WORK| TRANSACTION)?(?: AND NO CHAIN)?$/,
  ],
  refuse(statement, transactional) {
    const { words: [first = ""], text } = statement;
    if (text.startsWith("\\")) {
      return `'${text.split(/\s/)[0]}' is a command of the psql program, no SQL`;
    }
    if (first === "COPY" && /\bFROM\s+STDIN\b/i.test(text)) {
      return "COPY … FROM STDIN needs a client that sends the rows: write them as INSERT, or let COPY " +
        "read a file of the server";
    }
    if (!transactional) return undefined;
    return refuseTransactionControl(statement) ?? refuseInside(statement);
  },
  harmless: () => [],
  isAtomic: ({ words: [first = "", ...others] }) => {
    // Procedures and DO blocks may commit on their way; a partition that is detached waits between two transactions.
    if (first === "CALL" || first === "DO") return false;
    return !(others.includes("DETACH") && others.includes("CONCURRENTLY"));
  },
  tables,
};

function refuseInside({ words }: Statement): string | undefined {
  const [first = "", second = ""] = words;
  const two = `${first} ${second}`;
  if (first === "VACUUM") return outsideOnly(first);
  if (/^((CREATE|DROP) (DATABASE|TABLESPACE)|ALTER SYSTEM|DISCARD ALL)$/.test(two)) {
    return outsideOnly(two);
  }
  const isConcurrent = words.slice(1, 4).includes("CONCURRENTLY");
  if (isConcurrent && first === "REINDEX") return outsideOnly("REINDEX CONCURRENTLY");
  if (isConcurrent && /^(CREATE|DROP)$/.test(first)) {
    return outsideOnly(`${first} INDEX CONCURRENTLY`);
  }
}

function tables({ here, homes, names, columns }: TablesAsked): string {
  const own = `n.nspname IN (current_schema(), ${homes})`;
  const isHere = `n.nspname IN (${here("current_schema()")})`;
  return "SELECT format('%I.%I', n.nspname, c.relname) AS place, c.relname AS name, " +
    `n.nspname AS schema, NOT ${own} AS elsewhere, ${isHere} AS here, ` +
    "(SELECT string_agg(a.attname, ',') FROM pg_attribute a " +
    "WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS fields, " +
    "has_table_privilege(c.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE') AS readable " +
    "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace " +
    "WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT EXISTS (SELECT FROM pg_depend d " +
    "WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') " +
    `AND (${own} OR ${isHere} OR current_schema() = 'public' AND n.nspname !~ '^pg_' ` +
    "AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') " +
    `AND (lower(c.relname) IN (${names}) OR EXISTS (SELECT FROM pg_attribute s ` +
    `WHERE s.attrelid = c.oid AND lower(s.attname) IN (${columns})))) ORDER BY 1`;
}
