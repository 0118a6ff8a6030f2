/**
 * What an application with files is read from: the second door of this room, through which nothing comes into the graph
 * of an edge isolate.
 *
 * @module
 */
export { loadConfig } from "../config/load.ts";
export { MappingError } from "../web/mod.ts";
export { ScanError } from "./errors.ts";
export { readExported, scanRoutes } from "./scan_routes.ts";
export { componentFiles, scanComponents } from "./scan.ts";
