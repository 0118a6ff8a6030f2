/** Starts an application from classes and configuration. */
export { bootstrap } from "./bootstrap.ts";
export { ErrorControllerError, ScanError } from "./errors.ts";
export { configured } from "./extend.ts";
export type * from "./types.ts";
