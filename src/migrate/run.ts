import { resolve } from "@std/path";
import { discover, run, type RunOptions, type RunReport } from "../migrations/mod.ts";
import { type MigrationType, type TargetOptions, targetsOf } from "./targets.ts";

/** What a run over the connections of a configuration needs to know. */
export interface MigrationsOptions extends RunOptions, Omit<TargetOptions, "onEvent"> {
  /** Folder that holds a folder of files for each connection; relative to the working directory. */
  readonly sqlPath: string;
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
  const { runtime, onEvent, signal } = options;
  const root = resolve(runtime.cwd(), options.sqlPath);
  const targets = targetsOf(type, options);
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
