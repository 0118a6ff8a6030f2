import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { OpenApiChange } from "../../contract/mod.ts";
import type { Finding } from "./finding.ts";

/** An OpenAPI document in a file. */
export interface DocumentFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Findings for changes of an API.
 *
 * @param documents a change is in the first that has its operation or schema
 * @param describe the change in one line
 */
export function changeFindings(
  changes: readonly OpenApiChange[],
  { severity, rule }: Pick<Finding, "severity" | "rule">,
  documents: readonly DocumentFile[],
  describe: (change: OpenApiChange) => string,
): readonly Finding[] {
  const trees = documents.map((document) => ({ ...document, tree: parseTree(document.text) }));
  return changes.map((change) => {
    const named = trees.map((tree) => ({ ...tree, node: tree.tree && nodeOf(change, tree.tree) }));
    const { path, text, node } = named.find(({ node }) => node) ?? named.at(-1)!;
    const line = node && text.slice(0, node.offset).split("\n").length;
    return { severity, rule, message: describe(change), file: path, line };
  });
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
