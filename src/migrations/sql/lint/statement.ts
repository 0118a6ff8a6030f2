import { tokensOf } from "../syntax/lexer.ts";
import type { Grammar } from "../syntax/grammar.ts";

/** A token of a statement. */
export interface Part {
  /** As it is written. */
  readonly text: string;
  /** In upper case where it is a keyword or a name without quotes, else as it is written. */
  readonly word: string;
  /** UTF-16 units from the start of the statement. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** The tokens of a statement. */
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
  /** As it is written. */
  readonly text: string;
  readonly start: number;
  readonly next: number;
}

/** Reads `a`, `a.b`, `"a"."b"`. @param folds what names without quotes become */
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
  const list: Part[][] = [[]];
  let depth = 0;
  for (const part of parts.slice(at)) {
    if (part.text === "(") depth++;
    if (part.text === ")") depth--;
    if (part.text === "," && depth === 0) list.push([]);
    else list.at(-1)!.push(part);
  }
  return list;
}

/**
 * Whether `UPDATE` or `DELETE` works on some rows alone: one of these words is there, and no `WHERE` that says nothing
 * such as `true`, `1`, `1 = 1`.
 *
 * @param rest what the parts leave out
 */
export function isLimited(
  parts: readonly Part[],
  rest: string,
  ...words: readonly string[]
): boolean {
  const at = indexOfWord(parts, ...words);
  if (at >= 0) return rest !== "" || parts[at]?.word !== "WHERE" || !isAlways(parts, at);
  return new RegExp(`\\b(?:${words.join("|")})\\b`, "i").test(rest);
}

function isAlways(parts: readonly Part[], at: number): boolean {
  const rest = parts.slice(at + 1).map(({ word }) => word);
  const end = rest.findIndex((word) => /^(?:RETURNING|ORDER|\)|;)$/.test(word));
  return /^(?:TRUE|[1-9]\d*|(\S+) = \1)$/.test(rest.slice(0, end < 0 ? undefined : end).join(" "));
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
