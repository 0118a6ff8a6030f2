import { parse } from "@babel/parser";

/** The syntax of a module. */
export function programOf(source: string): Node {
  const { program } = parse(source, {
    sourceType: "module",
    plugins: ["typescript", "decorators"],
  });
  return program as unknown as Node;
}

/** A node of the syntax, as far as it is looked at. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly [key: string]: unknown;
}

/** Calls `action` for a node and for all below it, with those above it. */
export function visit(
  node: Node,
  parents: readonly Node[],
  action: (node: Node, parents: readonly Node[]) => void,
): void {
  action(node, parents);
  for (const child of Object.values(node).flat()) {
    const isNode = typeof child === "object" && child !== null && "type" in child &&
      "start" in child;
    if (isNode) visit(child as Node, [...parents, node], action);
  }
}

/** A text of one line, of at most 60 characters. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
