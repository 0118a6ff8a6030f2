import { closingBrace, nextOpening } from "../text/mod.ts";

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
  let position = 0;
  for (let next = nextOpening(text, 0); next; next = nextOpening(text, position)) {
    filled += text.slice(position, next.start);
    if (next.isEscaped) {
      filled += "${";
      position = next.content;
      continue;
    }
    const end = closingBrace(text, next.content);
    if (end < 0) {
      throw new PlaceholderError(
        "Cannot fill a placeholder: expected '}', or '$${' for '${' itself",
      );
    }
    filled += resolve(text.slice(next.content, end), lookup);
    position = end + 1;
  }
  return filled + text.slice(position);
}

function resolve(placeholder: string, lookup: Lookup): string {
  const colon = placeholder.indexOf(":");
  const name = (colon < 0 ? placeholder : placeholder.slice(0, colon)).trim();
  const value = name === "" ? undefined : lookup(name);
  if (value !== undefined) return value;
  if (colon >= 0) return fill(placeholder.slice(colon + 1), lookup);
  throw new PlaceholderError(`Cannot fill '\${${name}}': it is not set and has no default`);
}
