/** The parts of an application that read files, apart from `mod.ts` so that bundles for edge isolates leave them out. */
export { loadConfig } from "../config/load.ts";
export { MappingError } from "../web/mod.ts";
export { ScanError } from "./errors.ts";
export { readExported, scanRoutes } from "./scan_routes.ts";
export { componentFiles, scanComponents } from "./scan.ts";
