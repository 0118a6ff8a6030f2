/** A block of code in a page. */
export interface Block {
  /** `docs/guide/errors.md:17`, the line of its first line. */
  readonly place: string;
  readonly language: string;
  /** Whether it stands behind the language that it is not to be run. */
  readonly isIgnored: boolean;
  /** The runtime that stands behind the language: the block is what is printed there. */
  readonly runtime?: string;
  readonly code: string;
}

/** A block with its fences, which are three backticks or more, in a list too. */
const BLOCK = /^( *)(```+)(\S*)([^\n]*)\n([^]*?)^ *\2$/gm;

/** The blocks of code of a page of Markdown. */
export function blocksOf(markdown: string, page: string): readonly Block[] {
  return [...markdown.matchAll(BLOCK)].map(
    ({ index, 1: indent = "", 3: language = "", 4: attributes = "", 5: code = "" }) => ({
      place: `${page}:${markdown.slice(0, index).split("\n").length + 1}`,
      language,
      isIgnored: attributes.trim() === "ignore",
      ...(/^(?:Node|Deno|Bun)$/.test(attributes.trim()) && { runtime: attributes.trim() }),
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
}

/** Changes what is in no block of code. */
export function outsideBlocks(markdown: string, change: (text: string) => string): string {
  let changed = "";
  let end = 0;
  for (const { index, 0: block } of markdown.matchAll(BLOCK)) {
    changed += change(markdown.slice(end, index)) + block;
    end = index + block.length;
  }
  return changed + change(markdown.slice(end));
}

/** A page of Markdown without its blocks of code. */
export function withoutBlocks(markdown: string): string {
  return markdown.replace(BLOCK, "");
}
