import type { Config } from "../../config/mod.ts";
import type { ApplicationContext } from "../../container/mod.ts";
import { within } from "../../runtime/mod.ts";
import type { ActuatorSettings } from "./settings.ts";
import type { Health, HealthContributor, HealthIndicator, HealthStatus } from "./types.ts";

/** The worst first, as Spring Boot orders them. */
const SEVERITY: readonly HealthStatus[] = ["DOWN", "OUT_OF_SERVICE", "UP", "UNKNOWN"];
const UP: HealthIndicator = { health: () => ({ status: "UP" }) };

export type HealthCheck = (path?: string) => Promise<HealthDocument | undefined>;

export interface HealthDocument extends Health {
  readonly components?: Readonly<Record<string, Health>>;
  readonly groups?: readonly string[];
}

export async function healthCheck(
  context: ApplicationContext,
  config: Config,
  contributors: readonly HealthContributor[] = [],
  { groups, showDetails }: ActuatorSettings,
): Promise<HealthCheck> {
  const own: Record<string, HealthIndicator> = { ping: UP, ...indicatorsOf(context) };
  for (const contribute of contributors) Object.assign(own, await contribute(config));
  const all: Readonly<Record<string, HealthIndicator>> = {
    livenessState: UP,
    readinessState: UP,
    ...own,
  };

  const together = async (names: readonly string[]): Promise<HealthDocument> => {
    const found = await Promise.all(names.map(async (name) => {
      return [name, await ask(all[name])] as const;
    }));
    const statuses = found.map(([, { status }]) => status);
    const status = SEVERITY.find((one) => statuses.includes(one)) ?? "UNKNOWN";
    return { status, ...(showDetails && { components: Object.fromEntries(found) }) };
  };
  return async (path) => {
    if (path === undefined) {
      return { ...await together(Object.keys(own)), groups: [...groups.keys()] };
    }
    const group = groups.get(path);
    if (group) return await together(group);
    if (!showDetails || !Object.hasOwn(all, path)) return undefined;
    return await ask(all[path]);
  };
}

const LIMIT_MS = 10_000;
const LATE: Health = { status: "DOWN", details: { error: "No result within 10 s" } };

const ENDING = "HealthIndicator";

function indicatorsOf(context: ApplicationContext): Record<string, HealthIndicator> {
  const found: Record<string, HealthIndicator> = {};
  for (const { name, scope } of context.beans.values()) {
    if (!name.endsWith(ENDING) || name === ENDING || scope !== "singleton") continue;
    const bean = context.getByName(name) as Partial<HealthIndicator> | null;
    if (typeof bean?.health === "function") {
      found[name.slice(0, -ENDING.length)] = bean as HealthIndicator;
    }
  }
  return found;
}

async function ask(indicator: HealthIndicator | undefined): Promise<Health> {
  if (indicator === undefined) {
    return { status: "UNKNOWN", details: { error: "There is no indicator of this name" } };
  }
  try {
    return await within(Promise.resolve(indicator.health()), LIMIT_MS, LATE);
  } catch (error) {
    const details = {
      error: error instanceof Error ? `${error.name}: ${error.message}` : `${error}`,
    };
    return { status: "DOWN", details };
  }
}
