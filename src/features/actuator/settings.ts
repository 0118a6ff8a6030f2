import { type Config, namesAt } from "../../config/mod.ts";

const BASE_PATH = "management.endpoints.web.base-path";
const SHOW_DETAILS = "management.endpoint.health.show-details";
const GROUPS = "management.endpoint.health.group";

export type ActuatorSettings = ReturnType<typeof actuatorSettings>;

/** Keys as Spring Boot has them. @throws {ConfigError} */
export function actuatorSettings(config: Config) {
  const listAt = (what: string) =>
    namesAt(config, `management.endpoints.web.exposure.${what}`) ??
      namesAt(config, `management.endpoints.${what}`);
  const include = listAt("include") ?? ["health"];
  const exclude = listAt("exclude") ?? [];
  const has = (list: readonly string[], name: string) => list.includes("*") || list.includes(name);
  const basePath = config.string(BASE_PATH, "/actuator");
  if (!/^(?:\/[\w.~-]+)+$/.test(basePath)) {
    throw config.error(BASE_PATH, `expected a path such as '/actuator', found '${basePath}'`);
  }
  const details = config.string(SHOW_DETAILS, "never");
  if (details !== "never" && details !== "always") {
    throw config.error(SHOW_DETAILS, `expected 'never' or 'always', found '${details}'`);
  }
  const groups = new Map<string, readonly string[]>([
    ["liveness", ["livenessState"]],
    ["readiness", ["readinessState"]],
  ]);
  for (const name of config.section(GROUPS)?.keys() ?? []) {
    const names = namesAt(config, `${GROUPS}.${name}.include`);
    if (names) groups.set(name, names);
  }
  return {
    basePath,
    exposes: (endpoint: string) => has(include, endpoint) && !has(exclude, endpoint),
    showDetails: details === "always",
    groups,
  };
}
