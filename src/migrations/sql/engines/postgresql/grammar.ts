import { type Blocks, type Grammar, STANDARD } from "../../syntax/grammar.ts";
import { withoutQuotes } from "../../syntax/lexer.ts";

/** PostgreSQL 15, "Lexical Structure", with `standard_conforming_strings` on. */
export const POSTGRESQL: Grammar = {
  ...STANDARD,
  blocks,
  settings: (initial) => (parts, current) => {
    const words = parts.map((part) => part.toLowerCase());
    const [verb, ...rest] = words.filter((word) => word !== "session" && word !== "local");
    const [name, , value = ""] = rest;
    if (verb !== "set") return name === "all" || name === SETTING ? initial : undefined;
    if (name !== SETTING) return undefined;
    if (value === "default") return initial;
    const isOff = /^(?:of|off|f|fa|fal|fals|false|n|no|0)$/.test(withoutQuotes(value));
    return { ...current, backslashes: isOff };
  },
  lineEnd: /[\n\r]/g,
  nestedComments: true,
  quotes: { "'": "'", '"': '"' },
  quotedCase: true,
  postgresQuotes: true,
  word: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*/y,
};

const SETTING = "standard_conforming_strings";

/** Parentheses, for `CREATE RULE … DO (…; …)`, and `BEGIN ATOMIC … END` with `CASE … END` inside. */
function blocks(): Blocks {
  let parentheses = 0;
  let depth = 0;
  let previous = "";
  const follow = (part: string) => {
    if (part === "(") parentheses++;
    else if (part === ")") parentheses = Math.max(0, parentheses - 1);
    else if (part === "ATOMIC" && previous === "BEGIN") depth = 1;
    else if (depth > 0 && previous !== "AS" && previous !== ".") {
      if (part === "CASE") depth++;
      if (part === "END") depth--;
    }
  };
  return {
    feed(part) {
      follow(part);
      previous = part;
    },
    isComplete: () => parentheses === 0 && depth === 0,
  };
}
