/** Migrations of search clusters: OpenSearch and Elasticsearch. */
export type * from "./types.ts";
export { readSearchConnections, searchKeys } from "./connection.ts";
export { searchTarget } from "./target.ts";
