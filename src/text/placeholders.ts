/** Where a text has `${`, or `$${`, which stands for it. */
export interface Opening {
  /** Index of its first character. */
  readonly start: number;
  /** Index of what is between the braces. */
  readonly content: number;
  /** Whether it is `$${`. */
  readonly isEscaped: boolean;
}

/** `${NAME}` or `${NAME:default}`. */
export interface Placeholder {
  /** Without blanks around it. */
  readonly name: string;
  /** As it is written: it may hold placeholders. */
  readonly fallback?: string;
}

/** A placeholder that cannot be filled, or has no end. */
export class PlaceholderError extends Error {}

/**
 * Takes a text apart: what stands there as it is, where `$${` has become `${`, and placeholders. The one grammar of the
 * configuration and of `@Value`.
 *
 * @throws {PlaceholderError} for one without a closing brace
 */
export function placeholdersIn(text: string): readonly (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = [];
  let plain = "";
  let position = 0;
  for (let next = nextOpening(text, 0); next; next = nextOpening(text, position)) {
    plain += text.slice(position, next.start);
    position = next.content;
    if (next.isEscaped) {
      plain += "${";
      continue;
    }
    const end = closingBrace(text, next.content);
    if (end < 0) {
      throw new PlaceholderError(
        "Cannot fill a placeholder: expected '}', or '$${' for '${' itself",
      );
    }
    if (plain !== "") parts.push(plain);
    plain = "";
    parts.push(placeholderOf(text.slice(next.content, end)));
    position = end + 1;
  }
  plain += text.slice(position);
  return plain === "" ? parts : [...parts, plain];
}

function placeholderOf(content: string): Placeholder {
  const colon = content.indexOf(":");
  if (colon < 0) return { name: content.trim() };
  return { name: content.slice(0, colon).trim(), fallback: content.slice(colon + 1) };
}

/** The first `${` or `$${` of a text at or behind `from`. */
export function nextOpening(text: string, from: number): Opening | undefined {
  const at = text.indexOf("${", from);
  if (at < 0) return undefined;
  const isEscaped = at > from && text[at - 1] === "$";
  return { start: isEscaped ? at - 1 : at, content: at + 2, isEscaped };
}

/**
 * Index of the brace that closes the placeholder whose content starts at `from`, or -1. Braces inside of it come in
 * pairs: those of placeholders, and those of defaults such as JSON.
 */
export function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return -1;
}
