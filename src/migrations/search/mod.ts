/** Migrations of search clusters: OpenSearch and Elasticsearch. */
export type * from "./types.ts";
export { readSearchConnections } from "./connection.ts";
export { searchTarget } from "./target.ts";
export { ClusterChoiceError } from "../../features/convert/resource.ts";
export type {
  Conversion,
  ManifestFile,
  Password,
  WrittenFile,
} from "../../features/convert/convert.ts";

/** Loads the conversion of manifests, which runs once in the life of a project. */
export function loadConversion(): Promise<typeof import("../../features/convert/convert.ts")> {
  return import("../../features/convert/convert.ts");
}
