import { loadConfig } from "../config/load.ts";
import type { Config } from "../config/mod.ts";
import { MappingError, ScanError, scanRoutes } from "../app/files.ts";
import { registerStandIns } from "../runtime/cloudflare/stand_ins.ts";
import type { Context } from "./command.ts";
import { UsageError } from "./errors.ts";

export function requireComponentScan(config: Config): void {
  if (config.get("component-scan") !== undefined) return;
  throw config.error("component-scan", "expected the folders of the components, found none");
}

type Scanned = Awaited<ReturnType<typeof scanRoutes>> & { readonly config: Config };

/** Imports the modules of 'component-scan' and collects their declarations; nothing is started. @throws {UsageError} */
export async function withScanned<T>(
  { runtime, globals }: Pick<Context, "runtime" | "globals">,
  work: (scanned: Scanned) => Promise<T>,
  expected: readonly (new (...args: never[]) => Error)[] = [],
): Promise<T> {
  const config = await loadConfig({ runtime, directory: globals.config });
  requireComponentScan(config);
  registerStandIns();
  try {
    const scanned = await withConsoleOnStderr(() => scanRoutes(config, runtime));
    if (scanned.routes.length === 0) {
      throw config.error("component-scan", "expected controllers, found none");
    }
    return await work({ config, ...scanned });
  } catch (error) {
    const isExpected = [ScanError, MappingError, ...expected].some((type) => error instanceof type);
    throw isExpected ? new UsageError((error as Error).message, { cause: error }) : error;
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
