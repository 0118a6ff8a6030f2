import type { Config } from "../config/mod.ts";
import { RUN_FEATURES } from "../features/moments.ts";
import { migrate } from "./migrate.ts";
import type { AwsCredentialsProvider, MigrationResult, RunEvent } from "./runner/mod.ts";

export { RUN_FEATURES };

/** The options that {@linkcode migrateSql} and {@linkcode migrateSearch} share. */
export interface MigrateOptions {
  /** Folder that holds a folder of files for each connection. @default `<root>/migrations` */
  readonly sqlPath?: string;
  /** Only the connection of this name. @default all that are enabled */
  readonly connection?: string;
  /** How long to wait for another run, in milliseconds. @default 60000 */
  readonly lockTimeoutMs?: number;
  /** How long to wait for a server to come up, in milliseconds. @default 0 */
  readonly waitMs?: number;
  /** Takes what the run tells. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Aborting it finishes and records the file in hand, gives the lock back and leaves the rest. */
  readonly signal?: AbortSignal;
  /**
   * Whether irreversible changes are confirmed: indices that a changed policy deletes at once, a mapping of roles that
   * locks this user out. Without it such a run applies nothing, and fails with a `ConfirmationError` as its cause. SQL:
   * whether the first run applies files beside tables that no file creates; without it, it fails with a `HistoryError`.
   *
   * @default false
   */
  readonly yes?: boolean;
}

/** The options of {@linkcode migrateSql}. */
export interface MigrateSqlOptions extends MigrateOptions {
  /**
   * Connections that the application has already, by the names of datasources: a `Pool` of `pg` or of
   * `@neondatabase/serverless`, an instance of `postgres` or `Bun.SQL`, a pool of `mysql2`, a `PGlite`, a `DatabaseSync` of
   * `node:sqlite`, a client of `@libsql/client`, or a `D1Database`. Their datasources need no `url`. A run leaves them open
   * and clean.
   *
   * @default each run makes connections of its own
   */
  readonly using?: Readonly<Record<string, object>>;
}

/** The options of {@linkcode migrateSearch}. */
export interface MigrateSearchOptions extends MigrateOptions {
  /**
   * Providers of the credentials of connections with `auth: { type: aws }`, by their names: a provider of the AWS SDK, or
   * any function that gives `accessKeyId`, `secretAccessKey` and, of temporary ones, `sessionToken` and `expiration`. It
   * is called again shortly before they end. Of a connection without `auth`, as a profile may have it, it is not called.
   *
   * @default the environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`
   */
  readonly credentials?: Readonly<Record<string, AwsCredentialsProvider>>;
}

/** Applies migrations to the connections of a configuration. */
export type Migrate = (
  config: Config,
  log?: (message: string) => void,
) => Promise<readonly MigrationResult[]>;

/**
 * Applies SQL migrations: a function of the configuration, for `bootstrap({ startup: [migrateSql()] })` or to be called
 * with what `loadConfig` gives. It never prints: `bootstrap()` logs a line for each migration that was applied.
 *
 * @returns a function that gives a result for each file, and rejects with a {@linkcode MigrationRunError} when the run
 * stops before its end
 */
export function migrateSql(options: MigrateSqlOptions = {}): Migrate {
  return migrate("sql", { ...options, features: RUN_FEATURES });
}

/** Applies search migrations, as {@linkcode migrateSql} does SQL migrations. */
export function migrateSearch(options: MigrateSearchOptions = {}): Migrate {
  return migrate("search", { ...options, features: RUN_FEATURES });
}
