import { type Grammar, type ReadSettings, type Statement, withStrings } from "./grammar.ts";
import { tokensOf } from "./lexer.ts";

/** Follows what the statements of a file set that decides where the strings behind them end. */
export class StringFollower {
  readonly #read: ReadSettings;

  constructor({ settings, strings }: Grammar) {
    this.#read = settings(strings);
  }

  behind(statement: Statement, grammar: Grammar): Grammar {
    if (!VERBS.test(statement.words.slice(0, 2).join(" "))) return grammar;
    const settings = this.#read(partsOf(statement, grammar), grammar.strings);
    return settings === undefined ? grammar : withStrings(grammar, settings);
  }
}

/** MySQL's conditional comments have a version before the verb. */
const VERBS = /^(?:\d+ )?SET\b|^(?:RESET|DISCARD)\b/;

/** Words, symbols and quoted parts of a statement, without what makes it a conditional comment. */
function partsOf({ text }: Statement, grammar: Grammar): readonly string[] {
  const parts = tokensOf(text, grammar).map(({ start, end }) => text.slice(start, end));
  if (!parts[0]?.endsWith("!")) return parts;
  const isClosed = parts.at(-1) === "/" && parts.at(-2) === "*";
  return parts.slice(/^\d+$/.test(parts[1] ?? "") ? 2 : 1, isClosed ? -2 : undefined);
}

export function unquoted(text: string): string {
  return text.replace(/^(['"`])(.*)\1$/s, "$2");
}
