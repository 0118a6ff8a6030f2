import type { Statement } from "../../migrations/sql/syntax/grammar.ts";

/** Statements that change rows, or nothing, are many and long in dumps: they are not read. */
export function mayMatter({ words, text }: Statement): boolean {
  const first = firstOf(words);
  if (VERBS.has(first)) return true;
  if (text.length > LONGEST) return false;
  if (first === "SELECT") return /\bINTO\b|\bset_config\b|\bFROM\b/i.test(text);
  if (first === "INSERT") return /\bSELECT\b/i.test(text);
  return first === "WITH" && /\b(?:UPDATE|DELETE|INTO)\b/i.test(text);
}

/** The verb; before it stands the number of a comment that MySQL runs. */
function firstOf(words: readonly string[]): string {
  return words.find((word) => !/^\d+$/.test(word)) ?? "";
}

/** Longer statements contain values: their tree would take 100 times the memory, and their tokens 10 times. */
export const LONGEST = 50_000;

/** Statements that create or set something are followed, and are no finding by themselves. */
export function mayBeFound(statement: Statement): boolean {
  const first = firstOf(statement.words);
  if (["SELECT", "INSERT", "SET"].includes(first)) return false;
  return mayMatter(statement) && (first !== "CREATE" || LOCKING.test(statement.text));
}

const LOCKING = /\b(?:INDEX|TRIGGER|REFERENCES|PARTITION|POLICY|RULE|UPDATE|DELETE)\b/i;

const VERBS = new Set(
  ("ALTER CREATE DROP TRUNCATE UPDATE DELETE LOCK VACUUM CLUSTER REINDEX REFRESH RENAME " +
    "OPTIMIZE SET EXPLAIN MERGE REVOKE PREPARE PRAGMA").split(" "),
);

export function mayFill({ words }: Statement): boolean {
  return FILLING.test(firstOf(words));
}

/** Whether a name may mean another table afterwards, or a table may hold rows of another one. */
export function mayRename(statement: Statement): boolean {
  const first = firstOf(statement.words);
  return /^(?:CALL|DO|EXECUTE|RENAME)$/.test(first) || mayDoubt(statement) ||
    first === "ALTER" && /\b(?:RENAME|SCHEMA)\b/i.test(statement.text) ||
    /^(?:SELECT|SET)$/.test(first) && /\b(?:search_path|set_config)\b/i.test(statement.text);
}

export function mayDoubt({ words, text }: Statement): boolean {
  const first = firstOf(words);
  return /^(?:ABORT|DISCARD|RESET|ROLLBACK|USE)$/.test(first) ||
    /^(?:SET\b|SELECT\b.*\bset_config\b).*\b(?:ROLE|(?:SESSION_)?AUTHORIZATION)\b/is.test(text) ||
    first === "ALTER" && /\b(?:ATTACH|INHERIT)\b|\bSCHEMA\b.*\bRENAME\b/is.test(text);
}

const FILLING = /^(?:CALL|COPY|DO|EXECUTE|EXPLAIN|INSERT|MERGE|REFRESH|SELECT|WITH)$/;
