import type { Grammar } from "./grammar.ts";
import { allTokens } from "./lexer.ts";

/**
 * A statement in one line with `?` for each string and number, and without comments: what others' statements hold is
 * private. If the end of a string is unknown, the rest is left out.
 */
export function withoutValues(text: string, grammar: Grammar): string {
  let shown = "";
  let last = 0;
  for (const { kind, start, end, missing } of allTokens(text, grammar)) {
    const part = text.slice(start, end);
    const hasSpace = start > last && shown !== "";
    last = kind === "comment" ? start : end;
    if (kind === "comment") continue;
    if (hasSpace) shown += " ";
    if (kind === "word") shown += /^\d/.test(part) ? "?" : part;
    else if (kind !== "quoted") shown += part;
    else if (missing === undefined && isName(part, grammar)) shown += part;
    else shown += "?";
    const isEscaped = kind === "quoted" && !/^(?:[eE]'|\$)/.test(part) && part.includes("\\");
    if (isEscaped || missing !== undefined) return `${shown} …`;
  }
  return shown;
}

/** Double quotes are those of strings in MySQL, unless a session says otherwise. */
function isName(part: string, { strings }: Grammar): boolean {
  return /^[`[]/.test(part) || (part.startsWith('"') && strings.ansiQuotes);
}
