/**
 * From classes and configuration to a running application.
 *
 * @module
 */
export { bootstrap } from "./bootstrap.ts";
export { ErrorControllerError, ScanError } from "./errors.ts";
export { optionsOf } from "./extend.ts";
export type {
  Application,
  BootstrapOptions,
  Configurable,
  ExtendedApplication,
  Extension,
  ExtensionBeans,
  ExtensionParts,
} from "./types.ts";
