import { join } from "../runtime/path.ts";
import type { Config } from "../config/mod.ts";
import { loadRuntime } from "../runtime/mod.ts";
import { runMigrations } from "./commands.ts";
import { type ConnectionsOptions, type MigrationType, nothingToDo } from "./connections.ts";
import { type MigrationResult, MigrationRunError, type RunEvent } from "./runner/mod.ts";

type MigrationOptions =
  & Omit<ConnectionsOptions, "config" | "runtime" | "sqlPath">
  & { readonly sqlPath?: string; readonly yes?: boolean };

export function migrate(type: MigrationType, options: MigrationOptions) {
  return async (
    config: Config,
    log?: (message: string) => void,
  ): Promise<readonly MigrationResult[]> => {
    const onEvent = (event: RunEvent) => {
      options.onEvent?.(event);
      const finished = event.type === "finished" ? [event.result] : [];
      const results = event.type === "part" ? event.results : finished;
      for (const { outcome, connection, file, durationMs } of results) {
        if (!/applied/.test(outcome)) continue;
        log?.(`Migration '${connection}/${file}' ${outcome} (${Math.round(durationMs)} ms)`);
      }
    };
    const runtime = await loadRuntime();
    const sqlPath = options.sqlPath ?? join(config.root, "migrations");
    const reports = await runMigrations(type, { ...options, onEvent, sqlPath, config, runtime });
    if (reports.length === 0) log?.(nothingToDo(type, { ...options, config }));
    const results = reports.flatMap((report) => report.results);
    const failed = reports.find(({ error }) => error)?.error;
    const reasons = reports.flatMap(({ outcome, connection, results, error }) => {
      if (error === undefined) return [];
      const { message } = new MigrationRunError(results, error);
      const [subject = ""] = message.split(": ", 1);
      return outcome && !subject.includes(connection) ? `${connection}: ${message}` : message;
    });
    if (failed) throw new MigrationRunError(results, failed, reasons.join("\n"));
    if (reports.some(({ stopped }) => stopped)) {
      throw new MigrationRunError(results, new Error("The run was stopped before it finished"));
    }
    return results;
  };
}
