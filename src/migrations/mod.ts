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
export { type Config, ConfigError } from "../config/mod.ts";
export { loadConfig, type LoadConfigOptions } from "../config/load.ts";
export {
  ConfirmationError,
  ConnectionError,
  type FileProblem,
  type FileStatus,
  HistoryError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  MigrationFailedError,
  type MigrationResult,
  MigrationRunError,
  MissingFolderError,
  type RunEvent,
  type WorkProgress,
} from "./runner/mod.ts";
export type { AwsCredentials, AwsCredentialsProvider } from "./runner/mod.ts";
export * from "../features/monitoring/monitoring.ts";
export * from "../features/programs/programs.ts";
export {
  type Migrate,
  type MigrateOptions,
  migrateSearch,
  type MigrateSearchOptions,
  migrateSql,
  type MigrateSqlOptions,
  migrateTenant,
  type MigrateTenantOptions,
} from "./startup.ts";
export * from "../features/test_databases/test_database.ts";
