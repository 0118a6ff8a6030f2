import { type Config, namesAt } from "../config/mod.ts";
import { beanName, fitsProfiles, isComponent } from "../container/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { type Route, routeTable, shownRoutes } from "../web/mod.ts";
import { scanExports } from "./scan.ts";
import { serverSettings } from "./settings.ts";

/** What the modules of the component scan declare. */
export interface ScannedApplication {
  /** Of its controllers. */
  readonly routes: readonly Route[];
  /** All that they export. */
  readonly exported: readonly unknown[];
}

/**
 * The routes of the controllers that the component scan finds, and what else its modules export. They are imported; no
 * bean is made, nothing is started.
 *
 * @throws {ConfigError} when there is no such folder
 * @throws {ScanError} when a module cannot be imported
 * @throws {MappingError} when a handler's mapping cannot work
 */
export async function scanRoutes(config: Config, runtime: Runtime): Promise<ScannedApplication> {
  const exported = await scanExports(config, runtime);
  const types = exported.filter(isComponent);
  const profiles = namesAt(config, "profiles.active") ?? [];
  const beans = types.filter((type) => fitsProfiles(type, profiles)).map((type) => ({
    name: beanName(type),
    type,
  }));
  const { contextPath, apiVersion } = serverSettings(config);
  const table = routeTable(beans, contextPath, undefined, apiVersion);
  return { routes: shownRoutes(table), exported };
}
