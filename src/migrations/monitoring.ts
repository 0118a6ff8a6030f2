import { errorOf } from "../text/mod.ts";
import { join } from "../runtime/path.ts";
import type { Config } from "../config/mod.ts";
import { loadRuntime } from "../runtime/mod.ts";
import { migrationStatus } from "./commands.ts";
import { type MigrationType, targetsOf } from "./connections.ts";
import type { FileStatus } from "./runner/mod.ts";
import type { MigrateOptions, MigrateSearchOptions } from "./startup.ts";

/** Tells how a connection is, as the health indicators of `@irori/irori/actuator` do. */
export interface ConnectionHealth {
  /** Connects and reads; `DOWN` with the reason where that fails. */
  health(): Promise<{
    readonly status: "UP" | "DOWN";
    readonly details?: Readonly<Record<string, unknown>>;
  }>;
}

/** Indicators of the connections of a configuration, by name. */
export type ConnectionsHealth = (
  config: Config,
) => Promise<Readonly<Record<string, ConnectionHealth>>>;

/** Where the files of each connection stand, by its name. */
export type MigrationsStatus = (
  config: Config,
) => Promise<Readonly<Record<string, readonly FileStatus[]>>>;

/** Health of each datasource that migrations are enabled for: `actuator({ health: [datasourceHealth()] })`. */
export function datasourceHealth(): ConnectionsHealth {
  return connectionsHealth("sql");
}

/**
 * Health of each search connection that migrations are enabled for.
 *
 * @param options with `credentials` as {@linkcode migrateSearch} takes them
 */
export function searchHealth(
  options: Pick<MigrateSearchOptions, "credentials"> = {},
): ConnectionsHealth {
  return connectionsHealth("search", options);
}

/** What is applied to and pending for each datasource: `actuator({ migrations: [sqlMigrationStatus()] })`. */
export function sqlMigrationStatus(
  options: Pick<MigrateOptions, "sqlPath"> = {},
): MigrationsStatus {
  return migrations("sql", options);
}

/** What is applied to and pending for each search connection. */
export function searchMigrationStatus(
  options: Pick<MigrateSearchOptions, "sqlPath" | "credentials"> = {},
): MigrationsStatus {
  return migrations("search", options);
}

function connectionsHealth(
  type: MigrationType,
  options: Pick<MigrateSearchOptions, "credentials"> = {},
): ConnectionsHealth {
  return async (config) => {
    const targets = await targetsOf(type, { ...options, config, runtime: await loadRuntime() });
    return Object.fromEntries(targets.map((target) => [target.connection, {
      async health() {
        try {
          const session = await target.open();
          await session.journal.read([]).finally(() => session.close());
          return { status: "UP", details: { type } };
        } catch (error) {
          return { status: "DOWN", details: { type, error: errorOf(error).message } };
        }
      },
    }]));
  };
}

function migrations(
  type: MigrationType,
  { sqlPath, credentials }: Pick<MigrateSearchOptions, "sqlPath" | "credentials">,
) {
  return async (config: Config) => {
    const runtime = await loadRuntime();
    const folder = sqlPath ?? join(config.root, "migrations");
    const findings = await migrationStatus(type, {
      config,
      runtime,
      sqlPath: folder,
      ...(credentials && { credentials }),
    });
    return Object.fromEntries(findings.map(({ connection, found }) => {
      if (found instanceof Error) throw found;
      return [connection, found.files];
    }));
  };
}
