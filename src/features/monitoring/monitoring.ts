import { errorOf } from "../../text/mod.ts";
import { join } from "../../runtime/path.ts";
import type { Config } from "../../config/mod.ts";
import { loadRuntime } from "../../runtime/mod.ts";
import {
  type ConnectionsOptions,
  migrationStatus,
  type MigrationType,
  partsOf,
  targetsOf,
} from "../../migrations/commands.ts";
import { EACH } from "../tenants/each.ts";
import type { FileStatus } from "../../migrations/runner/mod.ts";
import {
  type MigrateOptions,
  type MigrateSearchOptions,
  type MigrateSqlOptions,
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

/** Options of {@linkcode driftHealth}. */
export interface DriftHealthOptions extends Pick<MigrateOptions, "sqlPath"> {
  /** How long a result is used before the schemas are compared again, in milliseconds. @default 3600000 */
  readonly intervalMs?: number;
}

/**
 * Whether the schema of each datasource that migrations are enabled for is as its files make it, as `irori drift` tells:
 * `actuator({ health: [driftHealth()] })`. The indicators are named `<datasource>Drift`: `DOWN` if the schema differs,
 * `UNKNOWN` if the expected one is not known. A request never waits for a comparison: it starts one if the last is
 * older than the interval, and shows the last result; `UNKNOWN` before the first. Datasources with `migrations.each`
 * are left out.
 */
export function driftHealth(
  { sqlPath, intervalMs = 3_600_000 }: DriftHealthOptions = {},
): ConnectionsHealth {
  return async (config) => {
    const options = await connectionsFrom(config, { sqlPath });
    const targets = (await targetsOf("sql", options)).filter((one) => EACH.of(one) === undefined);
    return Object.fromEntries(targets.map(({ connection }) => {
      const compare = async () => {
        const { schemaDrifts } = await import("../schema/checks.ts");
        const drifts = await schemaDrifts(undefined, { ...options, connection });
        return drifts.flatMap(({ found }) => found.differences);
      };
      return [`${connection}Drift`, cached(compare, intervalMs)];
    }));
  };
}

const MOST_LINES = 50;

function cached(compare: () => Promise<readonly string[]>, intervalMs: number): ConnectionHealth {
  type Health = Awaited<ReturnType<ConnectionHealth["health"]>>;
  let last: Health = { status: "UNKNOWN", details: { error: "The first comparison goes on" } };
  let nextAt = 0;
  const renew = async () => {
    nextAt = Infinity;
    const checked = new Date().toISOString();
    try {
      const differences = (await compare()).slice(0, MOST_LINES);
      last = differences.length === 0
        ? { status: "UP", details: { checked } }
        : { status: "DOWN", details: { checked, differences } };
    } catch (error) {
      last = { status: "UNKNOWN", details: { checked, error: errorOf(error).message } };
    }
    nextAt = performance.now() + intervalMs;
  };
  return {
    health() {
      if (performance.now() >= nextAt) void renew();
      return Promise.resolve(last);
    },
  };
}

/**
 * Applied and pending files of each datasource: `actuator({ migrations: [sqlMigrationStatus()] })`.
 *
 * @param options with `using` as {@linkcode migrateSql} takes it
 */
export function sqlMigrationStatus(
  options: Pick<MigrateSqlOptions, "sqlPath" | "using"> = {},
): MigrationsStatus {
  return migrations("sql", options);
}

/** Applied and pending files of each search connection. */
export function searchMigrationStatus(
  options: Pick<MigrateSearchOptions, "sqlPath" | "credentials"> = {},
): MigrationsStatus {
  return migrations("search", options);
}

type StatusOptions = Partial<Pick<ConnectionsOptions, "sqlPath" | "credentials" | "using">>;

async function connectionsFrom(
  config: Config,
  { sqlPath = join(config.root, "migrations"), ...given }: StatusOptions,
): Promise<ConnectionsOptions> {
  return { ...given, config, runtime: await loadRuntime(), features: RUN_FEATURES, sqlPath };
}

function connectionsHealth(type: MigrationType, options: StatusOptions = {}): ConnectionsHealth {
  return async (config) => {
    const from = await connectionsFrom(config, options);
    const all = (await targetsOf(type, from)).map(async (target) => {
      const unread = (
        error: unknown,
      ) => [{ target: { ...target, open: () => Promise.reject(error) } }];
      return await partsOf({ target, files: [] }, from).catch(unread);
    });
    const parts = (await Promise.all(all)).flat();
    return Object.fromEntries(parts.map(({ target }) => [target.connection, {
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
