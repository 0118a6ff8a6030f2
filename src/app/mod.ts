/**
 * From classes and configuration to a running application.
 *
 * @module
 */
export { bootstrap } from "./bootstrap.ts";
export { ErrorControllerError, ScanError } from "./errors.ts";
export { scanRoutes } from "./scan_routes.ts";
export { componentFiles, scanComponents } from "./scan.ts";
export type {
  Application,
  BootstrapOptions,
  ExtendedApplication,
  Extension,
  ExtensionParts,
  Listening,
  StartupFunction,
} from "./types.ts";
