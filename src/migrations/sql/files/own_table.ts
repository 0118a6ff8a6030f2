import { TABLE } from "../journal/records.ts";
import type { Grammar, Statement } from "../syntax/grammar.ts";
import { tokensOf } from "../syntax/lexer.ts";

/** Where a statement drops, changes or locks the history table: a position in UTF-16 units. */
export function ownTableAt({ text, words }: Statement, grammar: Grammar): number | undefined {
  if (!words.slice(0, 2).some((word) => VERBS.has(word))) return undefined;
  const names = namesOf(text, grammar);
  // MySQL's conditional comments have a version before the verb.
  const verb = names.findIndex(({ name }) => !/^\d+$/.test(name));
  const [first = "", second = ""] = names.slice(verb, verb + 2).map(({ name }) => name);
  const rest = names.slice(verb + 1);
  switch (first.toUpperCase()) {
    case "LOCK":
    case "RENAME":
    case "TRUNCATE":
      return rest.find(isOwn)?.start;
    case "DROP":
      return /^(?:TEMPORARY|TABLES?)$/i.test(second) ? rest.find(isOwn)?.start : undefined;
    case "ALTER":
      return altered(rest)?.start;
  }
}

const VERBS = new Set(["LOCK", "RENAME", "TRUNCATE", "DROP", "ALTER"]);

interface Name {
  readonly name: string;
  readonly start: number;
  readonly isQuoted: boolean;
  readonly isQualifier: boolean;
  readonly foldsCase: boolean;
}

function isOwn({ name, isQualifier, foldsCase }: Name): boolean {
  return !isQualifier && (foldsCase ? name.toLowerCase() : name) === TABLE;
}

/** `ALTER TABLE [IF EXISTS] [ONLY] <name>`, or what it is renamed to; anything behind the name may be a column. */
function altered(names: readonly Name[]): Name | undefined {
  const table = names.findIndex((name) => isWord(name, "TABLE"));
  if (table < 0) return undefined;
  const behind = names.slice(table + 1);
  const at = behind.findIndex((name) => !PREFIXES.some((word) => isWord(name, word)));
  const subject = behind.slice(at).find(({ isQualifier }) => !isQualifier);
  if (subject && isOwn(subject)) return subject;
  const rename = behind.findIndex((name, index) => {
    return isWord(name, "RENAME") && ["TO", "AS"].some((word) => isWord(behind[index + 1], word));
  });
  const target = rename < 0 ? undefined : behind[rename + 2];
  return target && isOwn(target) ? target : undefined;
}

const PREFIXES = ["IF", "EXISTS", "ONLY"];

function isWord(name: Name | undefined, word: string): boolean {
  return name !== undefined && !name.isQuoted && name.name.toUpperCase() === word;
}

function namesOf(text: string, grammar: Grammar): readonly Name[] {
  const tokens = tokensOf(text, grammar);
  return tokens.flatMap(({ kind, start, end }, index): Name[] => {
    const part = text.slice(start, end);
    const isQuoted = kind === "quoted" && /^["`[]/.test(part);
    if (kind !== "word" && !isQuoted) return [];
    const next = tokens[index + 1];
    return [{
      name: isQuoted ? part.slice(1, -1) : part,
      start,
      isQuoted,
      isQualifier: next !== undefined && text[next.start] === "." && next.end === next.start + 1,
      foldsCase: !isQuoted || !grammar.quotedCase,
    }];
  });
}
