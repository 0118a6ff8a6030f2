import { nothingToDo, runMigrations } from "../../migrations/commands.ts";
import { MigrationFailedError, type RunReport } from "../../migrations/runner/mod.ts";
import { flushTelemetry, type Runtime } from "../../runtime/mod.ts";
import { exitCodeOf } from "../exit_code_of.ts";
import { EXIT } from "../exit_codes.ts";
import { describeError, summary } from "../report.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";

export async function migrate(runtime: Runtime, globals: GlobalOptions): Promise<number> {
  using context = await commandContext(runtime, globals);
  const { screen, stop, options } = context;
  const reports = await runMigrations(globals.type, options).finally(flushTelemetry);
  const [tenants, others] = divided(reports);
  for (const report of others) screen.write(`${summary(report, screen.colors)}\n`);
  if (tenants.length > 0) (await import("../tenants.ts")).reportTenants(tenants, screen);
  if (reports.length === 0) screen.write(`${nothingToDo(globals.type, options.config)}\n`);
  const error = reports.find((report) => report.error)?.error;
  if (error && others.some((report) => report.error)) {
    screen.log(`${screen.logColors.red("error:")} ${describeError(error)}\n`);
  }
  printJson(runtime, globals, document(reports));
  if (error) return exitCodeOf(error);
  return reports.some(({ stopped }) => stopped) ? stop.exitCode() ?? EXIT.done : EXIT.done;
}

/** Those of tenants, and the others. */
function divided(reports: readonly RunReport[]): readonly [RunReport[], RunReport[]] {
  const { of = [], others = [] } = Object.groupBy(
    reports,
    ({ tenant }) => tenant === undefined ? "others" : "of",
  );
  return [of, others];
}

function failureOf(error: Error | undefined): Record<string, unknown> {
  if (!(error instanceof MigrationFailedError)) return { error: error?.message };
  const { message, line, column } = error;
  return { error: message, line, column };
}

function document(reports: readonly RunReport[]): unknown {
  return {
    connections: reports.map((
      { connection, tenant, outcome, results, error, stopped, requests },
    ) => ({
      connection,
      tenant,
      outcome,
      stopped,
      requests,
      results: results.map((result) => ({ ...result, ...failureOf(result.error) })),
      error: error?.message,
    })),
  };
}
