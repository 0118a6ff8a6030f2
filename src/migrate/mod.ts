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
export {
  ConnectionError,
  type FileProblem,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  type Migration,
  MigrationFailedError,
  type MigrationFile,
  type MigrationResult,
  MigrationRunError,
  MissingFolderError,
  type RunEvent,
  type RunOptions,
  type RunReport,
} from "../migrations/mod.ts";
export {
  type Config,
  ConfigError,
  type ConfigMap,
  type ConfigValue,
  loadConfig,
  type LoadConfigOptions,
  type Origin,
} from "../config/mod.ts";
export type * from "../runtime/mod.ts";
export * from "./run.ts";
export * from "./startup.ts";
export type { MigrationType, TargetOptions } from "./targets.ts";
