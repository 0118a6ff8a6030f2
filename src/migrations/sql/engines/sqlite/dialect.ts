import { type Blocks, type Grammar, STANDARD, type Statement } from "../../syntax/grammar.ts";
import { type NameAt, nameAt, splitWords, type Word } from "../../syntax/names.ts";
import type { Dialect } from "../../types.ts";
import { outsideOnly, refuseTransactionControl } from "../shared/own_errors.ts";

/** SQLite 3, `tokenize.c` as documented under "SQL As Understood By SQLite". */
export const SQLITE: Grammar = {
  ...STANDARD,
  blocks,
  settings: () => () => undefined,
  quotes: { "'": "'", '"': '"', "`": "`", "[": "]" },
  word: /[\w\u0080-\uffff][\w$\u0080-\uffff]*/y,
};

/** A trigger ends with `; END`, which the `END` of a `CASE` never follows. */
function blocks(): Blocks {
  const opening: string[] = [];
  let last = ["", ""];
  return {
    feed(part) {
      if (opening.length < 6) opening.push(part);
      last = [last[1] ?? "", part];
    },
    isComplete: () => {
      const isTrigger = /^(EXPLAIN (QUERY PLAN )?)?CREATE (TEMP |TEMPORARY )?TRIGGER\b/
        .test(opening.join(" "));
      return !isTrigger || last.join(" ") === "; END";
    },
  };
}

/** These do nothing, or fail, inside a transaction. */
const OUTSIDE_PRAGMAS = ["foreign_keys", "journal_mode", "synchronous"];

export const sqlite: Dialect = {
  name: "SQLite",
  grammar: SQLITE,
  transactional: true,
  pair: [
    /^BEGIN(?: DEFERRED| IMMEDIATE| EXCLUSIVE)?(?: TRANSACTION)?$/,
    /^(?:COMMIT|END)(?: TRANSACTION)?$/,
  ],
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
  harmless: foreignKeySwitches,
  // Only OR FAIL keeps what a failing statement has changed.
  isAtomic: ({ words }) => !words.includes("FAIL"),
  tables: () => TABLES,
};

/** Runs enforce no foreign keys: a file that turns them off and on, to rebuild a table, gets what it wants. */
function foreignKeySwitches(statements: readonly Statement[]): readonly Statement[] {
  const switches = statements.filter(isSwitch);
  const isRebuild = rebuilds(statements);
  let isOn = switches[0] === undefined || !OFF.test(switches[0].text);
  for (const statement of statements.slice(statements.indexOf(switches[0]!))) {
    const [verb = ""] = statement.words;
    const isHarmless = ["CREATE", "ALTER", "PRAGMA"].includes(verb) || isRebuild(statement);
    if (isOn && !isHarmless) return [];
    if (isSwitch(statement)) isOn = !OFF.test(statement.text);
  }
  return OFF.test(switches[0]?.text ?? "") ? switches : [];
}

/**
 * drizzle-kit turns foreign keys on again behind the first of several tables that a file rebuilds. The copy into the
 * new table and the drop of the old one want no foreign keys there either: a drop would delete what refers to it.
 */
function rebuilds(statements: readonly Statement[]): (statement: Statement) => boolean {
  const [built, replaced] = [new Set<string>(), new Set<string>()];
  for (const { text, words: [verb] } of statements) {
    if (verb !== "ALTER") continue;
    const parts = splitWords(text, SQLITE);
    const table = lowerNameAfter(parts, "ALTER", "TABLE");
    const renamed = table && lowerNameAfter(parts.slice(table.next), "RENAME", "TO");
    if (!renamed) continue;
    built.add(table.name);
    replaced.add(renamed.name);
  }
  return ({ text, words: [verb] }) => {
    if (built.size === 0 || (verb !== "INSERT" && verb !== "DROP")) return false;
    // A statement of rows may be long.
    const parts = splitWords(text.slice(0, 1_000), SQLITE);
    const copied = /\bSELECT\b/i.test(text) && lowerNameAfter(parts, "INSERT", "INTO");
    if (copied) return built.has(copied.name);
    const dropped = lowerNameAfter(parts, "DROP", "TABLE", "IF", "EXISTS") ??
      lowerNameAfter(parts, "DROP", "TABLE");
    return dropped !== undefined && replaced.has(dropped.name);
  };
}

/** The name behind these words, in lower case, as SQLite does not tell cases apart. */
function lowerNameAfter(parts: readonly Word[], ...words: readonly string[]): NameAt | undefined {
  if (words.some((word, index) => parts[index]?.word !== word)) return undefined;
  const found = nameAt(parts, words.length);
  return found && { ...found, name: found.name.toLowerCase() };
}

const OFF = /(?:=\s*|\(\s*)(?:off|0|false|no)\s*\)?$/i;

function isSwitch(statement: Statement): boolean {
  return pragmaOf(statement) === "foreign_keys";
}

/** The name behind PRAGMA, in lower case: a schema may stand before it, and both may be quoted. */
export function pragmaOf({ words: [verb], text }: Statement): string | undefined {
  return verb === "PRAGMA" ? lowerNameAfter(splitWords(text, SQLITE), verb)?.name : undefined;
}

function refuseInside(statement: Statement): string | undefined {
  const { words: [first = ""], text } = statement;
  if (["VACUUM", "ATTACH", "DETACH"].includes(first)) return outsideOnly(first);
  const pragma = pragmaOf(statement) ?? "";
  const isOutside = OUTSIDE_PRAGMAS.includes(pragma) && /[=(]/.test(text);
  return isOutside ? outsideOnly(`PRAGMA ${pragma}`) : undefined;
}

const TABLES =
  "SELECT 'main.\"' || replace(m.name, '\"', '\"\"') || '\"' AS place, m.name AS name, " +
  "'main' AS schema, 1 AS here, 1 AS readable, (SELECT group_concat(p.name) FROM pragma_table_info(m.name) p) AS fields " +
  // D1 refuses to describe its own tables.
  "FROM main.sqlite_master m WHERE m.type = 'table' AND m.name NOT GLOB '_cf_*' " +
  "AND m.name NOT GLOB 'sqlite_*' AND NOT EXISTS (SELECT 1 FROM main.sqlite_master v " +
  "WHERE v.sql LIKE 'CREATE VIRTUAL%' AND substr(m.name, 1, length(v.name) + 1) = v.name || '_') ORDER BY 1";
