import { loadConfig } from "../../config/load.ts";
import type { ApiInfo, OpenApiDocument, OpenApiOptions } from "../../features/contract/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Route } from "../../web/mod.ts";
import { UsageError } from "../errors.ts";
import { createScreen, tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { requireComponentScan } from "./_component_scan.ts";

export async function openapi(
  runtime: Runtime,
  options: GlobalOptions & DescribedVersion,
): Promise<number> {
  const document = await presentDocument(runtime, options);
  runtime.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  return 0;
}

export interface DescribedVersion {
  readonly apiVersion?: string;
  readonly onWarning?: (message: string) => void;
}

export async function presentDocument(
  runtime: Runtime,
  global: GlobalOptions & DescribedVersion,
): Promise<OpenApiDocument> {
  return await describeRoutes(
    runtime,
    global,
    ({ openApiDocument }, { routes, info, options, warn }) => {
      const document = openApiDocument(routes, info, options);
      for (const scheme of unknownSchemes(document)) {
        warn(
          `the security scheme '${scheme}' is not described: export openApi({ securitySchemes })`,
        );
      }
      const isProtected = routes.some(({ access }) => access && access.allows !== "permitAll");
      if (isProtected && operationsOf(document).every(({ security }) => security === undefined)) {
        warn("the schemes that protect routes are not described: export security()");
      }
      return document;
    },
  );
}

interface Scanned {
  readonly routes: readonly Route[];
  readonly info: ApiInfo;
  readonly options: OpenApiOptions;
  readonly warn: (unknown: string) => void;
}

type Describe<T> = (
  describers: typeof import("../../features/contract/mod.ts"),
  scanned: Scanned,
) => T;

export async function describeRoutes<T>(
  runtime: Runtime,
  global: GlobalOptions & DescribedVersion,
  describe: Describe<T>,
): Promise<T> {
  const config = await loadConfig({ runtime, directory: global.config });
  requireComponentScan(config);
  const { MappingError, readExported, ScanError, scanRoutes } = await import("../../app/files.ts");
  const describers = await import("../../features/contract/mod.ts");
  const { exportedOptions } = await import("../../features/openapi/exported.ts");
  const screen = createScreen(runtime, global);
  const warn = (unknown: string) => {
    const message = `${unknown} from a module of 'component-scan'`;
    tell(screen, "warning", message);
    global.onWarning?.(message);
  };
  try {
    const { routes, exported } = await withConsoleOnStderr(() => scanRoutes(config, runtime));
    if (routes.length === 0) {
      throw config.error("component-scan", "expected controllers, found none");
    }
    const { apiVersion } = global;
    describers.documentVersions(routes, apiVersion);
    const given = await exportedOptions(exported, config, readExported);
    const onUnknownSchema = (name: string) => {
      given.onUnknownSchema?.(name);
      warn(`the schema '${name}' is described as any value: export openApi({ jsonSchema })`);
    };
    const info = describers.apiInfo(config, given.info);
    return describe(describers, {
      routes,
      info,
      options: { ...given, ...(apiVersion !== undefined && { apiVersion }), onUnknownSchema },
      warn,
    });
  } catch (error) {
    const { ApiVersionError, SchemaNameError } = describers;
    const isTheirs = [ScanError, MappingError, ApiVersionError, SchemaNameError].some((type) =>
      error instanceof type
    );
    throw isTheirs ? new UsageError((error as Error).message, { cause: error }) : error;
  }
}

/** Stdout is for the document; modules may write to the console while they are imported. */
async function withConsoleOnStderr<T>(work: () => Promise<T>): Promise<T> {
  const { log, info, debug } = console;
  console.log = console.info = console.debug = console.error;
  try {
    return await work();
  } finally {
    Object.assign(console, { log, info, debug });
  }
}

function unknownSchemes(document: OpenApiDocument): ReadonlySet<string> {
  const asked = operationsOf(document).flatMap(({ security = [] }) => security);
  const known = Object.keys(document.components.securitySchemes ?? {});
  return new Set(asked.flatMap(Object.keys)).difference(new Set(known));
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.values(paths).flatMap((path) => Object.values(path));
}
