/**
 * Migrations from a program: versioned JSON files for search clusters, SQL files for databases.
 *
 * @example Migrate before the first request
 * ```ts ignore
 * import { bootstrap } from "@irori/irori";
 * import { migrateSql } from "@irori/irori/migrations";
 *
 * const app = await bootstrap({ root: import.meta.dirname, startup: [migrateSql()] });
 * ```
 *
 * @module
 */
export type * from "./runner/mod.ts";
export {
  ConnectionError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  MigrationFailedError,
  MigrationRunError,
  MissingFolderError,
} from "./runner/mod.ts";
export {
  type Config,
  ConfigError,
  type ConfigMap,
  type ConfigValue,
  type Origin,
} from "../config/mod.ts";
export { loadConfig, type LoadConfigOptions } from "../config/load.ts";
export type * from "../runtime/mod.ts";
export * from "./connections.ts";
export * from "./inspect.ts";
export * from "./monitoring.ts";
export * from "./run.ts";
export * from "./startup.ts";
export { type MigrationType, type TargetOptions, targetsOf } from "./targets.ts";
