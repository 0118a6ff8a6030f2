import { loadConfig } from "../../config/load.ts";
import type { Config } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Route } from "../../web/mod.ts";
import { UsageError } from "../errors.ts";
import type { GlobalOptions } from "../types.ts";
import { requireComponentScan } from "./_component_scan.ts";

/** Prints the OpenAPI document of the controllers that the component scan finds. */
export async function openapi(
  runtime: Runtime,
  options: GlobalOptions & DescribedVersion,
): Promise<number> {
  const { apiVersion } = options;
  return await printDescription(
    runtime,
    options,
    ({ apiInfo, openApiDocument }, routes, config) => {
      return JSON.stringify(openApiDocument(routes, apiInfo(config), { apiVersion }), null, 2);
    },
  );
}

/** Which version of the API is described. */
export interface DescribedVersion {
  readonly apiVersion?: string;
}

/** Makes a description of routes. */
type Describe<T> = (
  describers: typeof import("../../openapi/mod.ts"),
  routes: readonly Route[],
  config: Config,
) => T;

/** Prints a description of the controllers. */
export async function printDescription(
  runtime: Runtime,
  options: GlobalOptions & DescribedVersion,
  describe: Describe<string>,
): Promise<number> {
  runtime.stdout.write(`${await describeRoutes(runtime, options, describe)}\n`);
  return 0;
}

/** Describes the controllers that the component scan finds. The web half is loaded here: other commands do not need it. */
export async function describeRoutes<T>(
  runtime: Runtime,
  { config: directory, apiVersion }: GlobalOptions & DescribedVersion,
  describe: Describe<T>,
): Promise<T> {
  const config = await loadConfig({ runtime, directory });
  requireComponentScan(config);
  const { MappingError, ScanError, scanRoutes } = await import("../../app/files.ts");
  const describers = await import("../../openapi/mod.ts");
  try {
    const routes = await scanRoutes(config, runtime);
    if (routes.length === 0) {
      throw config.error("component-scan", "expected controllers, found none");
    }
    const versions = describers.documentVersions(routes);
    if (apiVersion !== undefined && !versions.includes(apiVersion)) {
      const expected = versions.flatMap((version) => version ?? []).join(", ");
      throw new UsageError(
        `Cannot describe the version '${apiVersion}' of the API: ` +
          (expected ? `expected one of ${expected}` : "one document has all routes"),
      );
    }
    return describe(describers, routes, config);
  } catch (error) {
    const isTheirs = [ScanError, MappingError, describers.SchemaNameError].some((type) =>
      error instanceof type
    );
    throw isTheirs ? new UsageError((error as Error).message, { cause: error }) : error;
  }
}
