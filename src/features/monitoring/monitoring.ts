import { errorOf } from "../../text/mod.ts";
import { join } from "../../runtime/path.ts";
import type { Config } from "../../config/mod.ts";
import { loadRuntime } from "../../runtime/mod.ts";
import { migrationStatus } from "../../migrations/commands.ts";
import {
  type ConnectionsOptions,
  type MigrationType,
  targetsOf,
} from "../../migrations/connections.ts";
import type { FileStatus } from "../../migrations/runner/mod.ts";
import {
  type MigrateOptions,
  type MigrateSearchOptions,
  RUN_FEATURES,
} from "../../migrations/startup.ts";

/** Tells how a connection is, as the health indicators of `@irori/irori/actuator` do. */
export interface ConnectionHealth {
  /** Tells how it is; with the reason if it is not `UP`. */
  health(): Promise<{
    readonly status: "UP" | "DOWN" | "UNKNOWN";
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

/** Applied and pending files of each datasource: `actuator({ migrations: [sqlMigrationStatus()] })`. */
export function sqlMigrationStatus(
  options: Pick<MigrateOptions, "sqlPath"> = {},
): MigrationsStatus {
  return migrations("sql", options);
}

/** Applied and pending files of each search connection. */
export function searchMigrationStatus(
  options: Pick<MigrateSearchOptions, "sqlPath" | "credentials"> = {},
): MigrationsStatus {
  return migrations("search", options);
}

type StatusOptions = Pick<MigrateSearchOptions, "sqlPath" | "credentials">;

export async function connectionsFrom(
  config: Config,
  { sqlPath = join(config.root, "migrations"), credentials }: StatusOptions,
): Promise<ConnectionsOptions> {
  return { config, runtime: await loadRuntime(), features: RUN_FEATURES, sqlPath, credentials };
}

function connectionsHealth(
  type: MigrationType,
  options: StatusOptions = {},
): ConnectionsHealth {
  return async (config) => {
    const targets = await targetsOf(type, await connectionsFrom(config, options));
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

function migrations(type: MigrationType, options: StatusOptions): MigrationsStatus {
  return async (config) => {
    const findings = await migrationStatus(type, await connectionsFrom(config, options));
    return Object.fromEntries(findings.map(({ connection, found }) => {
      if (found instanceof Error) throw found;
      return [connection, found.files];
    }));
  };
}
