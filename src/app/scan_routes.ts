import { type Config, namesAt } from "../config/mod.ts";
import { beanName, fitsProfiles } from "../container/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { type Route, routeTable, shownRoutes } from "../web/mod.ts";
import { scanComponents } from "./scan.ts";
import { serverSettings } from "./settings.ts";

/**
 * The routes of the controllers that the component scan finds. Their modules are imported; no bean is made, nothing is
 * started.
 *
 * @throws {ConfigError} when there is no such folder
 * @throws {ScanError} when a module cannot be imported
 * @throws {MappingError} when a handler's mapping cannot work
 */
export async function scanRoutes(config: Config, runtime: Runtime): Promise<readonly Route[]> {
  const types = await scanComponents(config, runtime);
  const profiles = namesAt(config, "profiles.active") ?? [];
  const beans = types.filter((type) => fitsProfiles(type, profiles)).map((type) => ({
    name: beanName(type),
    type,
  }));
  const { contextPath, apiVersion } = serverSettings(config);
  return shownRoutes(routeTable(beans, contextPath, undefined, apiVersion));
}
