import type { Config } from "../../config/mod.ts";

/** How something is; `OUT_OF_SERVICE` must not be used, of `UNKNOWN` nothing can be said. */
export type HealthStatus = "UP" | "DOWN" | "OUT_OF_SERVICE" | "UNKNOWN";

/** The result of a health indicator. */
export interface Health {
  /** How it is. */
  readonly status: HealthStatus;
  /** Shown with `management.endpoint.health.show-details: always`; no secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Tells how something that the application needs is. Beans named `…HealthIndicator` are asked, under their name without
 * that ending.
 */
export interface HealthIndicator {
  /** Looks at it; what it throws counts as `DOWN`. */
  health(): Health | Promise<Health>;
}

/** Gives indicators by name for a configuration: `datasourceHealth()`, `searchHealth()` of the migrations. */
export type HealthContributor = (
  config: Config,
) => Readonly<Record<string, HealthIndicator>> | Promise<Readonly<Record<string, HealthIndicator>>>;

/** Gives what is applied and pending, by connection: `sqlMigrationStatus()`, `searchMigrationStatus()` of the migrations. */
export type MigrationsContributor = (config: Config) => Promise<Readonly<Record<string, unknown>>>;

/** Levels of loggers by name; `ROOT` is above all. */
export interface LogLevels {
  /** From silent to everything. */
  readonly levels: readonly string[];
  /** Names of loggers that are known. */
  names(): readonly string[];
  /** The level that was set for a logger itself. */
  configured(name: string): string | undefined;
  /** The level that counts for a logger. */
  effective(name: string): string;
  /** Sets a level of `levels`, or with `undefined` takes it back. */
  set(name: string, level: string | undefined): void;
}

/** The options of the actuator beside the facts that it finds by itself. */
export interface ActuatorOptions {
  /** Health of what the application needs, besides its beans. */
  readonly health?: readonly HealthContributor[];
  /** The sources of `/actuator/migrations`. */
  readonly migrations?: readonly MigrationsContributor[];
  /** The levels that `/actuator/loggers` shows and changes: the result of `logging()`. */
  readonly loggers?: LogLevels;
}
