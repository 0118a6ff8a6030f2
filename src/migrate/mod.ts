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
  InterruptedError,
  InvalidFilesError,
  LockedError,
  type Migration,
  MigrationFailedError,
  type MigrationResult,
  MigrationRunError,
  MissingFolderError,
  type RunEvent,
  type RunOptions,
  type RunReport,
} from "../migrations/mod.ts";
export { type Config, ConfigError, loadConfig, type LoadConfigOptions } from "../config/mod.ts";
export * from "./run.ts";
export * from "./startup.ts";
export type { MigrationType, TargetOptions } from "./targets.ts";
