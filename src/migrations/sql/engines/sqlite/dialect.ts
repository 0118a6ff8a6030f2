import { SQLITE, type Statement } from "../../syntax/grammar.ts";
import type { Dialect } from "../../types.ts";
import { outsideOnly, refuseTransactionControl } from "../shared/own_errors.ts";

/** These do nothing, or fail, inside a transaction. */
const OUTSIDE_PRAGMAS = ["FOREIGN_KEYS", "JOURNAL_MODE", "SYNCHRONOUS"];

/** SQLite 3 through the runtime's `node:sqlite`. */
export const sqlite: Dialect = {
  name: "SQLite",
  grammar: SQLITE,
  transactional: true,
  lockTimeoutRefused:
    "SQLite has one lock for all of a database, and a run waits for it as long as " +
    "'--lock-timeout' says: remove 'lock-timeout'",
  refuse(statement, transactional) {
    if (statement.text.startsWith(".")) {
      return `'${statement.text.split(/\s/)[0]}' is a command of the sqlite3 program, no SQL`;
    }
    if (!transactional) return undefined;
    return refuseTransactionControl(statement) ?? refuseInside(statement);
  },
  // Only OR FAIL keeps what a failing statement has changed.
  isAtomic: ({ words }) => !words.includes("FAIL"),
};

function refuseInside({ words, text }: Statement): string | undefined {
  const [first = ""] = words;
  if (["VACUUM", "ATTACH", "DETACH"].includes(first)) return outsideOnly(first);
  if (first !== "PRAGMA" || !/[=(]/.test(text)) return undefined;
  const pragma = words.slice(1, 3).find((word) => OUTSIDE_PRAGMAS.includes(word));
  return pragma && outsideOnly(`PRAGMA ${pragma.toLowerCase()}`);
}
