/** A node of the tree that Shiki makes of a block of code. */
export interface CodeNode {
  readonly type: "element" | "text";
  readonly tagName?: string;
  readonly properties?: Readonly<Record<string, string | boolean>>;
  readonly value?: string;
  children?: CodeNode[];
}

const LABEL = "Show imports";

/** Folds the imports that a block begins with, behind a button. Copying a block takes them, and not the button. */
export const foldedImports = {
  name: "folded-imports",
  code(this: { readonly source: string }, code: CodeNode): void {
    const lines = code.children ?? [];
    const [start, end] = importsOf(this.source);
    // Lines of the tree have a line feed between them.
    const folded = lines.slice(start * 2, end * 2);
    if (folded.length === 0) return;
    const button: CodeNode = {
      type: "element",
      tagName: "button",
      properties: { type: "button", class: "imports vp-copy-ignore", "aria-expanded": "false" },
      children: [{ type: "text", value: LABEL }],
    };
    const hidden: CodeNode = {
      type: "element",
      tagName: "span",
      properties: { class: "folded" },
      children: folded,
    };
    code.children = [...lines.slice(0, start * 2), button, hidden, ...lines.slice(end * 2)];
  },
};

/**
 * The imports at the beginning of a program, comments before them left out, and the empty lines behind them: the first
 * line and the one that follows. Both are 0 where a single line, or nothing else, is imported.
 */
export function importsOf(code: string): readonly [start: number, end: number] {
  const [head = "", comments = "", imports = ""] =
    /^((?:\/\/.*\n)*)((?:import\b(?! *\()[^;]*;[^\n]*\n)+)\n*/.exec(code) ?? [];
  const start = linesOf(comments);
  if (linesOf(imports) < 2 || code.slice(head.length).trim() === "") return [0, 0];
  return [start, linesOf(head)];
}

function linesOf(text: string): number {
  return text.split("\n").length - 1;
}
