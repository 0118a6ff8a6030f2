import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { OpenApiChange, OpenApiComparison } from "../../contract/mod.ts";
import type { Finding } from "./finding.ts";

export interface DocumentFile {
  readonly path: string;
  readonly text: string;
}

interface Compared extends OpenApiComparison {
  /** A change is in the first that has its operation or schema, else in the last. */
  readonly documents: readonly DocumentFile[];
  readonly warnings: readonly string[];
}

/** @param describe a change in one line */
export function changeFindings(
  { breaking, additions, documents, warnings }: Compared,
  describe: (change: OpenApiChange) => string,
): readonly Finding[] {
  const trees = documents.map(({ path, text }) => ({ path, text, tree: parseTree(text)! }));
  const placed = (change: OpenApiChange) => {
    const nodes = trees.map(({ tree }) => nodeOf(change, tree));
    const index = nodes.findIndex((node) => node);
    const { path, text } = trees.at(index)!;
    const line = nodes[index] && text.slice(0, nodes[index].offset).split("\n").length;
    return { message: describe(change), file: path, line };
  };
  const [error, notice, warning] = ["error", "notice", "warning"] as const;
  return [
    ...breaking.map((one) => ({ severity: error, rule: "breaking-change", ...placed(one) })),
    ...additions.map((one) => ({ severity: notice, rule: "addition", ...placed(one) })),
    ...warnings.map((message) => ({ severity: warning, rule: "undescribed", message })),
  ];
}

/** The schema or the operation with its name. */
function nodeOf({ routes: [route = ""], where }: OpenApiChange, tree: Node): Node | undefined {
  const [, schema] = /^schema '(.+?)'/.exec(where) ?? [];
  const [method = "", path = ""] = route.split(" ");
  const found = schema === undefined
    ? findNodeAtLocation(tree, ["paths", path, method.toLowerCase()])
    : findNodeAtLocation(tree, ["components", "schemas", schema]);
  return found?.parent;
}
