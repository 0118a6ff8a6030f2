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
  type AwsCredentials,
  type AwsCredentialsProvider,
  ConfirmationError,
  ConnectionError,
  FeatureError,
  HistoryError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  MigrationFailedError,
  type MigrationResult,
  MigrationRunError,
  MissingFolderError,
} from "./runner/mod.ts";
export type { FileProblem, FileStatus, RunEvent, WorkProgress } from "./runner/mod.ts";
export type { ConnectionHealth, ConnectionsHealth } from "../features/monitoring/monitoring.ts";
export type { DriftHealthOptions, MigrationsStatus } from "../features/monitoring/monitoring.ts";
export { datasourceHealth, driftHealth, searchHealth } from "../features/monitoring/monitoring.ts";
export { searchMigrationStatus, sqlMigrationStatus } from "../features/monitoring/monitoring.ts";
export type { AdoptSqlOptions, RecordedFiles, RecordSql } from "../features/programs/programs.ts";
export { adoptSql, baselineSql, resolveSql } from "../features/programs/programs.ts";
export { backfillHealth, backfillSql } from "../features/backfills/backfill_sql.ts";
export type { BackfillSqlOptions, BackfillState } from "../features/backfills/backfill_sql.ts";
export { type Migrate, type MigrateOptions, migrateSearch, migrateSql } from "./startup.ts";
export type { MigrateSearchOptions, MigrateSqlOptions } from "./startup.ts";
export { migrateTenant, type MigrateTenantOptions } from "../features/tenants/migrate_tenant.ts";
export type { DatabaseForTestOptions } from "../features/test_databases/test_database.ts";
export type { TestDatabase } from "../features/test_databases/test_database.ts";
export { databaseForTest } from "../features/test_databases/test_database.ts";
