import type { Dialect } from "../../types.ts";
import { pragmaOf, sqlite } from "../sqlite/dialect.ts";

/** The authorizer of workerd lets these through; all else answers "not authorized: SQLITE_AUTH". */
const PRAGMAS = new Set([
  ...["foreign_keys", "defer_foreign_keys", "foreign_key_check", "foreign_key_list", "optimize"],
  ...["table_list", "table_info", "table_xinfo", "index_list", "index_info", "index_xinfo"],
  ...["quick_check", "case_sensitive_like", "ignore_check_constraints", "legacy_alter_table"],
  ...["recursive_triggers", "reverse_unordered_selects"],
]);

const REFUSED = ["ATTACH", "DETACH", "RELEASE", "SAVEPOINT", "VACUUM"];
/** The longest statement that D1 takes, in bytes. */
const LONGEST = 100_000;

/** SQLite as D1 runs it: nothing that a file sets is there for the next file. */
export const d1: Dialect = {
  ...sqlite,
  name: "Cloudflare D1",
  refuse(statement, transactional) {
    const [first = "", second = ""] = statement.words;
    if (first === "CREATE" && second.startsWith("TEMP")) {
      return "D1 has no temporary tables, views and triggers: make a table, and drop it at the end";
    }
    if (REFUSED.includes(first)) {
      return `D1 does not allow ${first}: remove it`;
    }
    const { length } = new TextEncoder().encode(statement.text);
    if (length > LONGEST) return `D1 takes statements of at most ${LONGEST} bytes, found ${length}`;
    const pragma = pragmaOf(statement);
    if (pragma !== undefined && !PRAGMAS.has(pragma)) {
      return `D1 does not allow PRAGMA ${pragma}: remove it`;
    }
    // It does nothing there, and what a file wants it for is looked at when the file runs.
    return pragma === "foreign_keys" ? undefined : sqlite.refuse(statement, transactional);
  },
};
