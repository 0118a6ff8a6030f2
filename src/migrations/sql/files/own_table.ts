import { TABLE } from "../journal/records.ts";
import type { Grammar, Statement } from "../syntax/grammar.ts";
import { isName, splitWords, unquoted, type Word } from "../syntax/names.ts";

/** Where a statement drops, changes or locks the history table: a position in UTF-16 units. */
export function ownTableAt({ text, words }: Statement, grammar: Grammar): number | undefined {
  if (!words.slice(0, 2).some((word) => VERBS.has(word))) return undefined;
  const parts = splitWords(text, grammar);
  // Without the schemas of names; MySQL's conditional comments have a version before the verb.
  const names = parts.filter((part, index) =>
    isName(part) && (parts[index + 1]?.text !== "." || BEFORE_DOTS.has(part.word))
  );
  const verb = names.findIndex(({ word }) => !/^\d+$/.test(word));
  const rest = names.slice(verb + 1);
  const isOwn = ({ text, isQuoted }: Word) => {
    const name = isQuoted ? unquoted(text) : text;
    return (isQuoted && grammar.quotedCase ? name : name.toLowerCase()) === TABLE;
  };
  switch (names[verb]?.word) {
    case "LOCK":
    case "RENAME":
    case "TRUNCATE":
      return rest.find(isOwn)?.start;
    case "DROP":
      return /^(?:TEMPORARY|TABLES?)$/.test(rest[0]?.word ?? "")
        ? rest.find(isOwn)?.start
        : undefined;
    case "ALTER":
      return altered(rest).find(isOwn)?.start;
  }
}

const VERBS = new Set(["LOCK", "RENAME", "TRUNCATE", "DROP", "ALTER"]);
/** MariaDB takes `.t` for a table of the current database. */
const BEFORE_DOTS = new Set(["TRUNCATE", "TABLE", "TABLES", "EXISTS", "TO", "AS"]);
const PREFIXES = ["IF", "EXISTS", "ONLY"];

/** `ALTER TABLE [IF EXISTS] [ONLY] <name>`, and what it is renamed to; anything else behind the name may be a column. */
function altered(names: readonly Word[]): readonly Word[] {
  const table = names.findIndex(({ word }) => word === "TABLE");
  if (table < 0) return [];
  const behind = names.slice(table + 1);
  const subject = behind.find(({ word }) => !PREFIXES.includes(word));
  const rename = behind.findIndex(({ word }, index) => {
    return word === "RENAME" && ["TO", "AS"].includes(behind[index + 1]?.word ?? "");
  });
  const target = rename < 0 ? undefined : behind[rename + 2];
  return [subject, target].filter((name) => name !== undefined);
}
