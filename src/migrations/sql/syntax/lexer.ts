import { type Grammar, type Statement, withStrings } from "./grammar.ts";

/** A part of a text of SQL; what lies between two tokens is white space. */
export interface Token {
  readonly kind: "word" | "quoted" | "comment" | "symbol";
  /** UTF-16 units from the start of the text, `end` excluded. */
  readonly start: number;
  readonly end: number;
  /** The missing end, such as `'`. */
  readonly missing?: string;
}

export function nextToken(text: string, from: number, grammar: Grammar): Token | undefined {
  const start = skipSpace(text, from);
  if (start === text.length) return undefined;
  return comment(text, start, grammar) ?? quoted(text, start, grammar) ??
    word(text, start, grammar) ?? symbol(text, start, grammar);
}

export function* allTokens(text: string, grammar: Grammar): Iterable<Token> {
  let token = nextToken(text, 0, grammar);
  for (; token !== undefined; token = nextToken(text, token.end, grammar)) yield token;
}

export function tokensOf(text: string, grammar: Grammar): readonly Token[] {
  return [...allTokens(text, grammar)].filter(({ kind }) => kind !== "comment");
}

export function dividedAtCommas<T>(parts: readonly T[], textFrom: (part: T) => string): T[][] {
  const list: T[][] = [[]];
  let depth = 0;
  for (const part of parts) {
    const text = textFrom(part);
    if (text === "(") depth++;
    if (text === ")") depth--;
    if (text === "," && depth === 0) list.push([]);
    else list.at(-1)!.push(part);
  }
  return list;
}

export function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

const SPACE = /[ \t\n\r\f\v]*/y;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const CONDITIONAL = /\/\*M?!/y;

/** Drizzle cuts a file at this text, and takes what stands before it for one statement. */
export const BREAKPOINT = "--> statement-breakpoint";

function comment(text: string, start: number, grammar: Grammar): Token | undefined {
  const isBreakpoint = text.startsWith(BREAKPOINT, start);
  if (isBreakpoint || matchEnd(grammar.lineComment, text, start) !== undefined) {
    grammar.lineEnd.lastIndex = start;
    const end = grammar.lineEnd.exec(text)?.index ?? text.length;
    const isAlone = !isBreakpoint ||
      /^\s*(?:--.*)?$/.test(text.slice(start + BREAKPOINT.length, end));
    const missing = `a line break after '${BREAKPOINT}'`;
    return { kind: "comment", start, end, ...(!isAlone && { missing }) };
  }
  if (!text.startsWith("/*", start) || opensConditional(text, start, grammar)) return undefined;
  const end = grammar.nestedComments ? endOfNested(text, start) : endAfter(text, "*/", start + 2);
  if (end !== undefined) return { kind: "comment", start, end };
  return { kind: "comment", start, end: text.length, missing: "*/" };
}

function opensConditional(text: string, start: number, grammar: Grammar): boolean {
  return grammar.conditionalComments && matchEnd(CONDITIONAL, text, start) !== undefined;
}

function endOfNested(text: string, start: number): number | undefined {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
}

function quoted(text: string, start: number, grammar: Grammar): Token | undefined {
  const first = text.charAt(start);
  if (grammar.postgresQuotes) {
    if (/[eE]/.test(first) && text.charAt(start + 1) === "'") {
      return until(text, start, start + 2, "'", true);
    }
    if (first === "$") return dollarQuoted(text, start);
  }
  const close = grammar.quotes[first];
  if (close === undefined) return undefined;
  // SQLite ends [a] at the first bracket.
  return until(text, start, start + 1, close, grammar.backslashes.includes(first), first !== "[");
}

/** The quote on a later line with which `E'…'` goes on. */
const CONTINUED = /(?:[ \t\f\v]|--[^\n\r]*(?=[\n\r]))*[\n\r](?:\s|--[^\n\r]*[\n\r])*'/y;

/** Reads on to `close`, which is escaped by doubling and, with `backslash`, by a backslash. */
function until(
  text: string,
  start: number,
  from: number,
  close: string,
  backslash: boolean,
  doubling = true,
): Token {
  const mark = backslash ? new RegExp(`[\\\\${close}]`, "g") : undefined;
  let position = from;
  while (true) {
    if (mark) mark.lastIndex = position;
    const found = mark ? mark.exec(text)?.index ?? -1 : text.indexOf(close, position);
    if (found < 0) return { kind: "quoted", start, end: text.length, missing: close };
    if (text.charAt(found) !== close) position = found + 2;
    else if (doubling && text.charAt(found + 1) === close) position = found + 2;
    else {
      const next = from === start + 2 ? matchEnd(CONTINUED, text, found + 1) : undefined;
      if (next === undefined) return { kind: "quoted", start, end: found + 1 };
      position = next;
    }
  }
}

function dollarQuoted(text: string, start: number): Token | undefined {
  const inside = matchEnd(DOLLAR_QUOTE, text, start);
  if (inside === undefined) return undefined;
  const tag = text.slice(start, inside);
  const end = endAfter(text, tag, inside);
  return end === undefined
    ? { kind: "quoted", start, end: text.length, missing: tag }
    : { kind: "quoted", start, end };
}

function word(text: string, start: number, grammar: Grammar): Token | undefined {
  const end = matchEnd(grammar.word, text, start);
  return end === undefined ? undefined : { kind: "word", start, end };
}

function symbol(text: string, start: number, grammar: Grammar): Token {
  const end = opensConditional(text, start, grammar) ? text.indexOf("!", start) + 1 : start + 1;
  return { kind: "symbol", start, end };
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endAfter(text: string, mark: string, from: number): number | undefined {
  const found = text.indexOf(mark, from);
  return found < 0 ? undefined : found + mark.length;
}

/** Follows what the statements of a file set that decides where the strings behind them end. */
export function stringFollower(
  { settings, strings }: Grammar,
): (statement: Statement, grammar: Grammar) => Grammar {
  const read = settings(strings);
  return (statement, grammar) => {
    if (!VERBS.test(statement.words.slice(0, 2).join(" "))) return grammar;
    const settings = read(settingParts(statement, grammar), grammar.strings);
    return settings === undefined ? grammar : withStrings(grammar, settings);
  };
}

/** MySQL's conditional comments have a version before the verb. */
const VERBS = /^(?:\d+ )?SET\b|^(?:RESET|DISCARD)\b/;

/** Words, symbols and quoted parts of a statement, without what makes it a conditional comment. */
function settingParts({ text }: Statement, grammar: Grammar): readonly string[] {
  const parts = tokensOf(text, grammar).map(({ start, end }) => text.slice(start, end));
  if (!parts[0]?.endsWith("!")) return parts;
  const isClosed = parts.at(-1) === "/" && parts.at(-2) === "*";
  return parts.slice(/^\d+$/.test(parts[1] ?? "") ? 2 : 1, isClosed ? -2 : undefined);
}

export function withoutQuotes(text: string): string {
  return text.replace(/^(['"`])(.*)\1$/s, "$2");
}
