import { type Config, ConfigError, namesAt } from "../config/mod.ts";
import { beanName, fitsProfiles, isComponent } from "../container/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { errorOf, quoted } from "../text/mod.ts";
import { MappingError, type Route, routeTable, shownRoutes } from "../web/mod.ts";
import { ScanError } from "./errors.ts";
import { scanExports } from "./scan.ts";
import { serverSettings } from "./settings.ts";
import type { Extension } from "./types.ts";

interface ScannedApplication {
  readonly routes: readonly Route[];
  readonly exported: ReadonlyMap<unknown, string>;
}

/** Imports the modules; no bean is created. @throws {ConfigError | ScanError | MappingError} */
export async function scanRoutes(config: Config, runtime: Runtime): Promise<ScannedApplication> {
  const exported = await scanExports(config, runtime);
  const types = [...exported.keys()].filter(isComponent);
  const profiles = namesAt(config, "profiles.active") ?? [];
  const beans = types.filter((type) => fitsProfiles(type, profiles)).map((type) => ({
    name: beanName(type),
    type,
  }));
  const { contextPath, versionsOf } = serverSettings(config);
  const table = routeTable(beans, contextPath, undefined, versionsOf);
  const guards = [...exported].filter(([one]) => (one as Extension | null)?.guardFor);
  if (guards.length > 1) {
    throw config.error("component-scan", "expected one exported security(), found several");
  }
  const [[extension, path] = []] = guards as [Extension, string][];
  const guard = extension && await readExported("security()", path!, config, (config) => {
    return extension.guardFor!(config, { routes: shownRoutes(table), contextPath });
  });
  return { routes: shownRoutes(guard?.guardRoutes(table) ?? table), exported };
}

/** @throws {ScanError} naming the module, and the keys without a value that it asked for */
export async function readExported<T>(
  what: string,
  path: string,
  config: Config,
  read: (config: Config) => Promise<T>,
): Promise<T> {
  const missing = new Set<string>();
  const noting = new Proxy(config, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const value = member.apply(target, args);
        if (value === undefined) missing.add(String(args[0]));
        return value;
      };
    },
  });
  try {
    return await read(noting);
  } catch (cause) {
    if (cause instanceof ConfigError || cause instanceof MappingError) throw cause;
    const hint = missing.size > 0 ? ` (not configured: ${quoted(missing)})` : "";
    const message = `Cannot read the options of ${what} in '${path}': ${errorOf(cause).message}`;
    throw new ScanError(message + hint, path, { cause });
  }
}
