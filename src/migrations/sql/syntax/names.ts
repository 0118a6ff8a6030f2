import type { Grammar } from "./grammar.ts";
import { tokensOf } from "./lexer.ts";

export interface Word {
  readonly text: string;
  /** In upper case where it is a keyword or a name without quotes, else as it is written. */
  readonly word: string;
  /** UTF-16 units from the start of the statement. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

export function splitWords(text: string, grammar: Grammar): readonly Word[] {
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
  parts: readonly Word[],
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

export function isName({ text, isQuoted }: Word): boolean {
  return isQuoted ? /^["`[]/.test(text) : /^[\w\u0080-\uffff]/.test(text);
}

export function unquoted(text: string): string {
  const quote = text.charAt(0);
  const inner = text.slice(1, -1);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
}
