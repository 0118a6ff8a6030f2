/** Migrations of search clusters: OpenSearch and Elasticsearch. */
export type * from "./types.ts";
export { readSearchConnections } from "./connection.ts";
export { searchTarget } from "./target.ts";
