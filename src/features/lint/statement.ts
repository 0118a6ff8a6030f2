import { dividedAtCommas, tokensOf } from "../../migrations/sql/syntax/lexer.ts";
import type { Grammar } from "../../migrations/sql/syntax/grammar.ts";
import type { FindingName, ValuesOf } from "./rules.ts";
import type { Schema, Table } from "./schema.ts";

export interface Subject {
  readonly text: string;
  readonly parts: readonly Part[];
  /** What the parts leave out of a statement that is too long. */
  readonly rest: string;
  readonly schema: Schema;
  /** What the file has between two positions of the statement: placeholders instead of their values. */
  source(start: number, end?: number): string;
  report<Name extends FindingName>(
    at: number,
    name: Name,
    values: ValuesOf<Name>,
    table?: Table,
  ): void;
}

export interface Part {
  readonly text: string;
  /** In upper case where it is a keyword or a name without quotes, else as it is written. */
  readonly word: string;
  /** UTF-16 units from the start of the statement. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

export function partsOf(text: string, grammar: Grammar): readonly Part[] {
  return tokensOf(text, grammar).map(({ kind, start, end }) => {
    const part = text.slice(start, end);
    const isQuoted = kind === "quoted";
    return { text: part, word: isQuoted ? part : part.toUpperCase(), start, end, isQuoted };
  });
}

/** A name at a position of the tokens, with its schema; `next` is what stands behind it. */
export interface NameAt {
  readonly schema?: string;
  readonly name: string;
  readonly text: string;
  readonly start: number;
  readonly next: number;
}

export function nameAt(
  parts: readonly Part[],
  at: number,
  folds: (name: string) => string = (name) => name,
): NameAt | undefined {
  const names: string[] = [];
  const start = parts[at]?.start ?? 0;
  let next = at;
  for (;;) {
    const part = parts[next];
    if (part === undefined || !isName(part)) return undefined;
    names.push(part.isQuoted ? unquoted(part.text) : folds(part.text));
    next++;
    if (parts[next]?.text !== ".") break;
    next++;
  }
  const name = names.at(-1)!;
  const schema = names.at(-2);
  const text = parts.slice(at, next).map(({ text }) => text).join("");
  return { ...(schema !== undefined && { schema }), name, text, start, next };
}

function isName({ text, isQuoted }: Part): boolean {
  return isQuoted ? /^["`[]/.test(text) : /^[\w\u0080-\uffff]/.test(text);
}

function unquoted(text: string): string {
  const quote = text.charAt(0);
  const inner = text.slice(1, -1);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
}

/** The tokens from a position on, divided at commas that are in no parentheses. */
export function listFrom(parts: readonly Part[], at: number): readonly (readonly Part[])[] {
  return dividedAtCommas(parts.slice(at), ({ text }) => text);
}

/**
 * Whether `UPDATE` or `DELETE` works on some rows alone: one of these words is there, and no `WHERE` that holds for
 * every row such as `true`, `1 = 1`, `NOT false`, `a = 1 OR true`.
 */
export function isLimited(
  parts: readonly Part[],
  rest: string,
  words: readonly string[],
  isNeverNull: (column: string) => boolean = () => false,
): boolean {
  const at = indexOfWord(parts, ...words);
  if (at >= 0) {
    if (rest !== "" || parts[at]?.word !== "WHERE") return true;
    const condition = parts.slice(at + 1);
    let depth = 0;
    const end = condition.findIndex(({ word, text }) => {
      depth += text === "(" ? 1 : text === ")" ? -1 : 0;
      return depth < 0 || (depth === 0 && /^(?:RETURNING|ORDER|;)$/.test(word));
    });
    return !isAlways(condition.slice(0, end < 0 ? undefined : end), isNeverNull);
  }
  return new RegExp(`\\b(?:${words.join("|")})\\b`, "i").test(rest);
}

/** Whether a condition holds for every row, as far as its words tell. */
function isAlways(parts: readonly Part[], isNeverNull: (column: string) => boolean): boolean {
  const always = (inner: readonly Part[]) => isAlways(inner, isNeverNull);
  const either = dividedAt(parts, "OR");
  if (either.length > 1) return either.some(always);
  const both = dividedAt(parts, "AND");
  if (both.length > 1) return both.every(always);
  const text = parts.map(({ word }) => word).join(" ");
  if (/^\( .* \)$/s.test(text) && indexOfWord(parts, ")") === parts.length - 1) {
    return always(parts.slice(1, -1));
  }
  if (parts.length === 4 && text.endsWith(" IS NOT NULL")) {
    const column = nameAt(parts, 0, (name) => name.toLowerCase());
    return column ? isNeverNull(column.name) : text.startsWith("'");
  }
  return /^(?:TRUE|[1-9]\d*|(\S+) = \1|NOT (?:FALSE|0|\( FALSE \))|EXISTS \( SELECT [\w*]+ \))$/
    .test(text);
}

function dividedAt(parts: readonly Part[], word: string): readonly (readonly Part[])[] {
  const at = indexOfWord(parts, word);
  return at < 0 ? [parts] : [parts.slice(0, at), ...dividedAt(parts.slice(at + 1), word)];
}

/** Position of the first token that is one of these words and in no parentheses; -1 where there is none. */
export function indexOfWord(parts: readonly Part[], ...words: readonly string[]): number {
  let depth = 0;
  return parts.findIndex(({ word, text, isQuoted }) => {
    if (text === "(") depth++;
    if (text === ")") depth--;
    return depth === 0 && !isQuoted && words.includes(word);
  });
}
