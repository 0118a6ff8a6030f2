import { resolve } from "@std/path";
import type { Config } from "../config/mod.ts";
import { discover, run, type RunOptions, type RunReport } from "../migrations/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { type MigrationType, targetsOf } from "./targets.ts";

/** What a run over the connections of a configuration needs to know. */
export interface MigrationsOptions extends RunOptions {
  readonly config: Config;
  readonly runtime: Runtime;
  /** Folder that holds a folder of files for each connection; relative to the working directory. */
  readonly sqlPath: string;
  /** Only the connection of this name. */
  readonly connection?: string;
}

/**
 * Brings every enabled connection up to date, in the order of the configuration, and stops at the first that
 * fails. Failures of a run are in its report.
 *
 * @throws {ConfigError} when the configuration of a connection is wrong
 * @throws {MissingFolderError} when an enabled connection has no folder
 */
export async function runMigrations(
  type: MigrationType,
  options: MigrationsOptions,
): Promise<readonly RunReport[]> {
  const { config, runtime, connection, onEvent, signal } = options;
  const root = resolve(runtime.cwd(), options.sqlPath);
  const targets = targetsOf(type, { config, runtime, connection, onEvent });
  const discovered = await Promise.all(targets.map(async (target) => {
    const { files } = await discover(runtime.files, root, target.connection, target.extension);
    return { target, files };
  }));
  const reports: RunReport[] = [];
  for (const { target, files } of discovered) {
    const report = await run(target, files, { onEvent, signal });
    reports.push(report);
    if (report.error || report.stopped || signal?.aborted) break;
  }
  return reports;
}
