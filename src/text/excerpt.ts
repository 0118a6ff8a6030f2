import { printable } from "./printable.ts";

interface Excerpt {
  readonly line?: number;
  readonly column?: number;
  readonly source?: string;
}

/** `config/application.yml:12:3`. */
export function describeOrigin(
  { file, line, column }: Omit<Excerpt, "source"> & { readonly file: string },
): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

const WIDTH = 100;

/** The source line of a place and a caret under its column; nothing where the line is not known. */
export function excerpt({ line, column, source }: Excerpt): string[] {
  if (source === undefined) return [];
  const characters = Array.from(source);
  const start = (column ?? 1) > WIDTH ? (column ?? 1) - WIDTH / 2 : 0;
  const shown = characters.slice(start, start + WIDTH);
  const gutter = `${line ?? ""}`;
  // Tabs stay, so that the caret stands below its character however wide they are.
  const textOf = (part: readonly string[]) => printable(part.join(""), /(?!\t)\p{Cc}/gu);
  const lines = [`  ${gutter} | ${textOf(shown)}`];
  if (column !== undefined) {
    const before = textOf(shown.slice(0, column - 1 - start)).replace(/[^\t]/gu, " ");
    const missing = " ".repeat(Math.max(0, column - 1 - start - shown.length));
    lines.push(`  ${" ".repeat(gutter.length)} | ${before}${missing}^`);
  }
  return lines;
}
