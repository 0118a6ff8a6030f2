/** Gives the text for a name, or `undefined` when there is none. */
export type Lookup = (name: string) => string | undefined;

/** A placeholder that cannot be filled. */
export class PlaceholderError extends Error {}

/**
 * Fills `${NAME}` and `${NAME:default}` in a text. A default may hold placeholders; `$${` stands for `${` itself.
 *
 * @throws {PlaceholderError} where there is no text and no default, or no closing brace
 */
export function fill(text: string, lookup: Lookup): string {
  let filled = "";
  let rest = text;
  for (let start = rest.indexOf("${"); start >= 0; start = rest.indexOf("${")) {
    if (rest[start - 1] === "$") {
      filled += `${rest.slice(0, start - 1)}\${`;
      rest = rest.slice(start + 2);
      continue;
    }
    const end = closing(rest, start + 2);
    if (end < 0) {
      throw new PlaceholderError(
        "Cannot fill a placeholder: expected '}', or '$${' for '${' itself",
      );
    }
    filled += rest.slice(0, start) + resolve(rest.slice(start + 2, end), lookup);
    rest = rest.slice(end + 1);
  }
  return filled + rest;
}

function resolve(placeholder: string, lookup: Lookup): string {
  const colon = placeholder.indexOf(":");
  const name = (colon < 0 ? placeholder : placeholder.slice(0, colon)).trim();
  const value = name === "" ? undefined : lookup(name);
  if (value !== undefined) return value;
  if (colon >= 0) return fill(placeholder.slice(colon + 1), lookup);
  throw new PlaceholderError(`Cannot fill '\${${name}}': it is not set and has no default`);
}

/** Index of the brace that closes the placeholder whose content starts at `from`, or -1. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "{" && text[i - 1] === "$" && text[i - 2] !== "$") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return -1;
}
