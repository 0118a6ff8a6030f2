/**
 * The expression of a `pattern` of JSON Schema, which is read with `u` (draft 2020-12, 6.4); written for no flag, as most
 * are that use `[\w-.]` or `\-`, it is read as it was meant.
 *
 * @returns `undefined` for what is no expression of JavaScript
 */
export function patternOf(pattern: string): RegExp | undefined {
  return made(pattern, "u") ?? made(withUnicode(pattern), "u") ?? made(pattern, "");
}

/** The expression of a text as it is. Under the flag `u` nothing else may be escaped, not even a hyphen. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function made(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** Rewrites the syntax that the flag `u` forbids (ECMA-262, B.1.2): escapes of letters, lone brackets, `-`. */
function withUnicode(pattern: string): string {
  return pattern.replace(PIECES, (piece) => {
    if (piece.startsWith("\\")) return unescaped(piece, "");
    if (piece.startsWith("[")) {
      return piece.replace(IN_CLASS, (inner, before?: string, after?: string) => {
        if (before !== undefined) return `${before}\\-`;
        return after !== undefined ? `\\-${after}` : unescaped(inner, "-");
      });
    }
    return /^\{\d+(?:,\d*)?\}$/.test(piece) ? piece : piece.replace(/[{}\]]/g, "\\$&");
  });
}

/** Escapes, classes, quantifiers, and brackets that are none of these. */
const PIECES = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[{}\]]/g;
/** A `-` beside a class of its own, such as `\w`, stands for itself. */
const IN_CLASS = /(\\[dDsSwW])-(?!\])|-(\\[dDsSwW])|\\[^]/g;

function unescaped(escape: string, more: string): string {
  const letter = escape.slice(1);
  return KEPT.test(letter) || more.includes(letter) ? escape : letter;
}

const KEPT = /[dDsSwWbBfnrtv0-9cxukpP^$\\.*+?()[\]{}|/]/;
