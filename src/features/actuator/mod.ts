/**
 * Health, metrics and more under `/actuator`, in the formats of Spring Boot's Actuator, for probes and dashboards.
 *
 * @example Liveness, readiness and metrics
 * ```ts
 * import { bootstrap } from "@irori/irori";
 * import { actuator } from "@irori/irori/actuator";
 *
 * const app = await bootstrap({
 *   config: { management: { endpoints: { include: ["health", "prometheus"] } } },
 *   extensions: [actuator()],
 * });
 * const health = await app.request("/actuator/health/readiness");
 * console.log(health.status); // 200
 * ```
 *
 * @module
 */
export { actuator } from "./actuator.ts";
export { MeterRegistry, type MeterRegistryOptions } from "./meter_registry.ts";
export type {
  Counter,
  DistributionSummary,
  Gauge,
  HistogramOptions,
  Measurement,
  Meter,
  MeterOptions,
  MeterType,
  Statistics,
  Tags,
  Timer,
} from "./meter_types.ts";
export type {
  ActuatorOptions,
  Health,
  HealthContributor,
  HealthIndicator,
  HealthStatus,
  LogLevels,
  MigrationsContributor,
} from "./types.ts";
export type { Config, ConfigMap, ConfigValue } from "../../config/mod.ts";
export type { ExtendedApplication, Extension, ExtensionParts } from "../../app/mod.ts";
