/** Migrations of search clusters: OpenSearch and Elasticsearch. */
export type * from "./types.ts";
export { readSearchConnections } from "./connection.ts";
export { searchTarget } from "./target.ts";
export { ClusterChoiceError } from "./transfer/operator/resource.ts";
export type {
  Conversion,
  ManifestFile,
  Password,
  WrittenFile,
} from "./transfer/operator/convert.ts";

/** Loads the conversion of manifests, which runs once in the life of a project. */
export function loadConversion(): Promise<typeof import("./transfer/operator/convert.ts")> {
  return import("./transfer/operator/convert.ts");
}
