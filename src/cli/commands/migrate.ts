import { nothingToDo, runMigrations } from "../../migrations/commands.ts";
import { MigrationFailedError, type RunReport } from "../../migrations/runner/mod.ts";
import { flushTelemetry, type Runtime } from "../../runtime/mod.ts";
import { exitCodeOfAll } from "../exit_code_of.ts";
import { EXIT } from "../exit_codes.ts";
import { describeError, summary } from "../report.ts";
import { tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";

export async function migrate(runtime: Runtime, globals: GlobalOptions): Promise<number> {
  using context = await commandContext(runtime, globals);
  const { screen, stop, options } = context;
  const reports = await runMigrations(globals.type, options).finally(flushTelemetry);
  const others = reports.filter(({ tenant }) => tenant === undefined);
  for (const report of others) screen.write(`${summary(report, screen.colors)}\n`);
  const tenants = reports.length > others.length && await import("../tenants.ts");
  if (tenants) tenants.reportTenants(reports, screen);
  if (reports.length === 0) screen.write(`${nothingToDo(globals.type, options.config)}\n`);
  for (const { error } of others) {
    if (error) tell(screen, "error", describeError(error));
  }
  printJson(runtime, globals, document(reports));
  const failed = exitCodeOfAll(reports.flatMap(({ error }) => error ?? []));
  if (failed !== undefined) return failed;
  return reports.some(({ stopped }) => stopped) ? stop.exitCode() ?? EXIT.done : EXIT.done;
}

function failureOf(error: Error | undefined): Record<string, unknown> {
  if (!(error instanceof MigrationFailedError)) return { error: error?.message };
  const { message, line, column } = error;
  return { error: message, line, column };
}

function document(reports: readonly RunReport[]): unknown {
  return {
    connections: reports.map(({ results, error, ...report }) => ({
      ...report,
      results: results.map((result) => ({ ...result, ...failureOf(result.error) })),
      error: error?.message,
    })),
  };
}
