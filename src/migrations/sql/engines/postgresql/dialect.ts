import { POSTGRESQL, type Statement } from "../../syntax/grammar.ts";
import type { Dialect } from "../../types.ts";
import { outsideOnly, refuseTransactionControl } from "../shared/own_errors.ts";

/** PostgreSQL 13 and later through npm `pg`. */
export const postgresql: Dialect = {
  name: "PostgreSQL",
  grammar: POSTGRESQL,
  transactional: true,
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
  isAtomic: ({ words: [first = "", ...others] }) => {
    // Procedures and DO blocks may commit on their way; a partition that is detached waits between two transactions.
    if (first === "CALL" || first === "DO") return false;
    return !(others.includes("DETACH") && others.includes("CONCURRENTLY"));
  },
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
  return undefined;
}
