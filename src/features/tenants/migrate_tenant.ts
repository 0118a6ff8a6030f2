import { migrate } from "../../migrations/migrate.ts";
import { type Migrate, type MigrateSqlOptions, RUN_FEATURES } from "../../migrations/startup.ts";

/** The options of {@linkcode migrateTenant}. */
export interface MigrateTenantOptions extends MigrateSqlOptions {
  /** Whether a missing schema or SQLite file is created; the query or list need not name the schema. @default false */
  readonly create?: boolean;
}

/**
 * Applies SQL migrations to one tenant of `migrations.each`, for instance when a customer signs up:
 * `await migrateTenant("acme", { create: true })(config)`.
 *
 * @param name of a schema, or the name of a URL
 * @returns a function as {@linkcode migrateSql} returns it; it rejects with a `ConfigError` for an unknown name
 */
export function migrateTenant(name: string, options: MigrateTenantOptions = {}): Migrate {
  return migrate("sql", { ...options, only: [name], features: RUN_FEATURES });
}
