import { errorOf } from "../../text/mod.ts";
import type { LookOptions } from "../../migrations/commands.ts";
import { targetsOf } from "../../migrations/connections.ts";
import type { MigrateOptions } from "../../migrations/startup.ts";
import { EACH } from "../tenants/each.ts";
import { type ConnectionHealth, connectionsFrom, type ConnectionsHealth } from "./monitoring.ts";

/** The options of {@linkcode driftHealth}. */
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
    return Object.fromEntries(targets.map(({ connection }) => [
      `${connection}Drift`,
      cached(() => compared({ ...options, connection }), intervalMs),
    ]));
  };
}

type Health = Awaited<ReturnType<ConnectionHealth["health"]>>;

async function compared(options: LookOptions): Promise<Health> {
  const { schemaDrifts } = await import("../schema/checks.ts");
  const drifts = await schemaDrifts(undefined, options);
  const differences = drifts.flatMap(({ found }) => found.differences).slice(0, 50);
  return differences.length === 0 ? { status: "UP" } : { status: "DOWN", details: { differences } };
}

function cached(look: () => Promise<Health>, intervalMs: number): ConnectionHealth {
  let last: Health = { status: "UNKNOWN", details: { error: "The first comparison goes on" } };
  let nextAt = 0;
  const renew = async () => {
    const checked = new Date().toISOString();
    const { status, details } = await look().catch((error): Health => {
      return { status: "UNKNOWN", details: { error: errorOf(error).message } };
    });
    last = { status, details: { checked, ...details } };
    nextAt = performance.now() + intervalMs;
  };
  return {
    health() {
      if (performance.now() >= nextAt) {
        nextAt = Infinity;
        void renew();
      }
      return Promise.resolve(last);
    },
  };
}
