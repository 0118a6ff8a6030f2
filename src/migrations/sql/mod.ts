/** Migrations of SQL databases: SQLite, PostgreSQL, MySQL and MariaDB. */
export type * from "./types.ts";
export * from "./errors.ts";
export type { Datasource } from "./connect/datasource.ts";
export { SQL, type SqlOffer } from "./offers.ts";
export { datasourceKeys, readDatasources } from "./connect/read.ts";
export { connectionFailure } from "./failure.ts";
export * from "./target.ts";
export type { Position, Script } from "./files/script.ts";
export type { Secret } from "./connect/secret.ts";
export type { TlsSettings } from "./connect/tls.ts";
export type { Grammar, Statement, StringSettings } from "./syntax/grammar.ts";
export type { Split } from "./syntax/splitter.ts";
