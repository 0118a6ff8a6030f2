import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { Finding } from "../../cli/mod.ts";
import type { OpenApiChange, OpenApiComparison } from "./changes.ts";

export interface DocumentFile {
  readonly path: string;
  readonly text: string;
}

/** @param documents a change is in the first that has its operation or schema, else in the last */
export function changeFindings(
  { breaking, additions }: OpenApiComparison,
  documents: readonly DocumentFile[],
  warnings: readonly string[],
  describe: (change: OpenApiChange) => string,
): readonly Finding[] {
  const trees = documents.map(({ path, text }) => ({ path, text, tree: parseTree(text)! }));
  const found = (severity: Finding["severity"], rule: string) => (change: OpenApiChange) => {
    const nodes = trees.map(({ tree }) => nodeOf(change, tree));
    const index = nodes.findIndex((node) => node);
    const { path, text } = trees.at(index)!;
    const line = nodes[index] && text.slice(0, nodes[index].offset).split("\n").length;
    return { severity, rule, message: describe(change), file: path, line };
  };
  return [
    ...breaking.map(found("error", "breaking-change")),
    ...additions.map(found("notice", "addition")),
    ...warnings.map((message) => ({ severity: "warning", rule: "undescribed", message }) as const),
  ];
}

function nodeOf({ routes: [route = ""], where }: OpenApiChange, tree: Node): Node | undefined {
  const [, schema] = /^schema '(.+?)'/.exec(where) ?? [];
  const [method = "", path = ""] = route.split(" ");
  const found = schema === undefined
    ? findNodeAtLocation(tree, ["paths", path, method.toLowerCase()])
    : findNodeAtLocation(tree, ["components", "schemas", schema]);
  return found?.parent;
}
