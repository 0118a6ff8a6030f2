/** Where a text has `${`, or `$${`, which stands for it. */
export interface Opening {
  /** Index of its first character. */
  readonly start: number;
  /** Index of what is between the braces. */
  readonly content: number;
  /** Whether it is `$${`. */
  readonly isEscaped: boolean;
}

/** The first `${` or `$${` of a text at or behind `from`. */
export function nextOpening(text: string, from: number): Opening | undefined {
  const at = text.indexOf("${", from);
  if (at < 0) return undefined;
  const isEscaped = at > from && text[at - 1] === "$";
  return { start: isEscaped ? at - 1 : at, content: at + 2, isEscaped };
}

/** Index of the brace that closes the placeholder whose content starts at `from`, or -1. Placeholders nest. */
export function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "{" && text[i - 1] === "$" && text[i - 2] !== "$") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return -1;
}
