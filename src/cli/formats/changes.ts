import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { OpenApiChange, OpenApiComparison } from "../../contract/mod.ts";
import type { Finding, Report } from "./finding.ts";

/** An OpenAPI document in a file. */
export interface DocumentFile {
  readonly path: string;
  readonly text: string;
}

export interface Comparison extends OpenApiComparison {
  /** The newer document, if it is a file, and the older one: a change is shown in the first that has its place. */
  readonly documents: readonly DocumentFile[];
  readonly warnings: readonly string[];
}

/** The report of `contract --against`. @param describe a change in one line */
export function contractReport(
  { breaking, additions, documents, warnings }: Comparison,
  describe: (change: OpenApiChange) => string,
): Report {
  const trees = documents.map(({ path, text }) => ({ path, text, tree: parseTree(text) }));
  const found = (severity: Finding["severity"], rule: string) => (change: OpenApiChange) => ({
    ...{ severity, rule, message: describe(change) },
    ...placeOf(change, trees),
  });
  return {
    command: "contract",
    findings: [
      ...breaking.map(found("error", "breaking-change")),
      ...additions.map(found("notice", "addition")),
      ...warnings.map((message): Finding => ({
        severity: "warning",
        rule: "undescribed",
        message,
      })),
    ],
  };
}

interface Tree extends DocumentFile {
  readonly tree: Node | undefined;
}

function placeOf(change: OpenApiChange, trees: readonly Tree[]): Pick<Finding, "file" | "line"> {
  for (const { path, text, tree } of trees) {
    const node = tree && nodeOf(change, tree);
    if (node) return { file: path, line: text.slice(0, node.offset).split("\n").length };
  }
  const file = trees.at(-1)?.path;
  return file === undefined ? {} : { file };
}

/** The schema or the operation, with its name. */
function nodeOf({ routes: [route = ""], where }: OpenApiChange, tree: Node): Node | undefined {
  const [, schema] = /^schema '(.+?)'/.exec(where) ?? [];
  const [method = "", path = ""] = route.split(" ");
  const found = schema === undefined
    ? findNodeAtLocation(tree, ["paths", path, method.toLowerCase()]) ??
      findNodeAtLocation(tree, ["paths", path])
    : findNodeAtLocation(tree, ["components", "schemas", schema]);
  return found?.parent;
}
