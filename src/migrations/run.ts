import { run, type RunOptions, type RunReport } from "./runner/mod.ts";
import { connectionsOf, type ConnectionsOptions } from "./connections.ts";
import type { MigrationType } from "./targets.ts";

/** What a run over the connections of a configuration needs to know. */
export type MigrationsOptions = RunOptions & ConnectionsOptions;

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
  const { onEvent, signal } = options;
  const reports: RunReport[] = [];
  for (const { target, files } of await connectionsOf(type, options)) {
    const report = await run(target, files, { onEvent, signal });
    reports.push(report);
    if (report.error || report.stopped || signal?.aborted) break;
  }
  return reports;
}
