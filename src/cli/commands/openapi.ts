import { loadConfig } from "../../config/load.ts";
import type { Config } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Route } from "../../web/mod.ts";
import { UsageError } from "../errors.ts";
import type { GlobalOptions } from "../types.ts";
import { requireComponentScan } from "./_component_scan.ts";

/** Prints the OpenAPI document of the controllers that the component scan finds. */
export async function openapi(runtime: Runtime, options: GlobalOptions): Promise<number> {
  return await print(runtime, options, ({ apiInfo, openApiDocument }, routes, config) => {
    return JSON.stringify(openApiDocument(routes, apiInfo(config)), null, 2);
  });
}

/** Prints what a typed client needs: a TypeScript module, or, with `--json`, a document. */
export async function contract(runtime: Runtime, options: GlobalOptions): Promise<number> {
  return await print(runtime, options, ({ contractModule, contractOf }, routes) => {
    return options.json ? JSON.stringify(contractOf(routes), null, 2) : contractModule(routes);
  });
}

/** The web half is loaded here, as other commands do not need it. */
async function print(
  runtime: Runtime,
  { config: directory }: GlobalOptions,
  describe: (
    describers: typeof import("../../openapi/mod.ts"),
    routes: readonly Route[],
    config: Config,
  ) => string,
): Promise<number> {
  const config = await loadConfig({ runtime, directory });
  requireComponentScan(config);
  const { MappingError, ScanError, scanRoutes } = await import("../../app/files.ts");
  const describers = await import("../../openapi/mod.ts");
  try {
    const routes = await scanRoutes(config, runtime);
    if (routes.length === 0) {
      throw config.error("component-scan", "expected controllers, found none");
    }
    runtime.stdout.write(`${describe(describers, routes, config)}\n`);
    return 0;
  } catch (error) {
    const isTheirs = [ScanError, MappingError, describers.SchemaNameError].some((type) =>
      error instanceof type
    );
    throw isTheirs ? new UsageError((error as Error).message, { cause: error }) : error;
  }
}
