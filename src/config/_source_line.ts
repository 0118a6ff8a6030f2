import { excerpt, isSecret, withoutUserinfo } from "../text/mod.ts";

/**
 * A line of a YAML file with a caret below a column, for messages. What belongs to a key that looks like a secret is
 * not shown, be it on a line of its own.
 */
export function sourceLine(text: string, line: number, column: number): string {
  const full = text.split(/\r\n|\r|\n/)[line - 1] ?? "";
  const source = isSecretLine(text, line) ? masked(full) : withoutUserinfo(full);
  return excerpt({ line, column, source }).join("\n");
}

/** Whether a line has or continues the value of a secret: that of the last key at or above it, or of one around that. */
export function isSecretLine(text: string, line: number): boolean {
  let indent = Infinity;
  for (const source of text.split(/\r\n|\r|\n/).slice(0, line).reverse()) {
    const column = source.search(/[^\s-]/);
    if (column < 0 || column >= indent || !/:(?:\s|$)/.test(source)) continue;
    if (isSecret(source)) return true;
    indent = column;
  }
  return false;
}

function masked(source: string): string {
  const [start] = /^[\s-]*["']?[\w.-]+["']?\s*:(?=\s|$)/.exec(source) ?? /^\s*/.exec(source) ??
    [""];
  return `${start} …`;
}
