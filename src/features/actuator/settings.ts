import { type Config, namesAt } from "../../config/mod.ts";

export interface ActuatorSettings {
  readonly basePath: string;
  exposes(endpoint: string): boolean;
  readonly showDetails: boolean;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** Keys as Spring Boot has them. @throws {ConfigError} */
export function actuatorSettings(config: Config): ActuatorSettings {
  const include = listAt(config, "include") ?? ["health"];
  const exclude = listAt(config, "exclude") ?? [];
  const has = (list: readonly string[], name: string) => list.includes("*") || list.includes(name);
  return {
    basePath: basePath(config),
    exposes: (endpoint) => has(include, endpoint) && !has(exclude, endpoint),
    showDetails: showDetails(config),
    groups: groups(config),
  };
}

function listAt(config: Config, what: string): readonly string[] | undefined {
  return namesAt(config, `management.endpoints.web.exposure.${what}`) ??
    namesAt(config, `management.endpoints.${what}`);
}

function basePath(config: Config): string {
  const key = "management.endpoints.web.base-path";
  const path = config.string(key, "/actuator");
  if (/^(?:\/[\w.~-]+)+$/.test(path)) return path;
  throw config.error(key, `expected a path such as '/actuator', found '${path}'`);
}

function showDetails(config: Config): boolean {
  const key = "management.endpoint.health.show-details";
  const value = config.string(key, "never");
  if (value === "never" || value === "always") return value === "always";
  throw config.error(key, `expected 'never' or 'always', found '${value}'`);
}

function groups(config: Config): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>([
    ["liveness", ["livenessState"]],
    ["readiness", ["readinessState"]],
  ]);
  const key = "management.endpoint.health.group";
  for (const name of config.section(key)?.keys() ?? []) {
    const include = namesAt(config, `${key}.${name}.include`);
    if (include) found.set(name, include);
  }
  return found;
}
