import type { MigrationFailedError, RunReport } from "../../migrations/runner/mod.ts";
import { command } from "../command.ts";
import { flag } from "../option.ts";

export const declared = command({
  name: "migrate",
  description: "apply new and changed files (the default)",
  options: {
    noWait: flag("do not wait for background tasks of the cluster (search)"),
    yes: flag(
      "confirm the dangerous changes that 'plan' lists (search): deletions by a policy, a lock-out; " +
        "apply files beside tables that no file creates (sql)",
    ),
  },
  examples: [
    ["migrate -c config --sqlPath migrations", "apply SQL migrations"],
    ["migrate -m search --wait 60s", "wait for the cluster, then apply search migrations"],
  ],
  worked: `
$ irori migrate -c config --sqlPath migrations
main: 2 files, 1 pending
  applied    002_items.sql  (sql 1 statement, 7 ms)
main: up to date, 1 applied, 1 unchanged (11 round trips)
`,
  async run(context, { noWait, yes }) {
    const { globals: { type }, program, screen } = context;
    const { nothingToDo, runMigrations, titleOf } = await import("../../migrations/commands.ts");
    const { flushTelemetry } = await import("../../runtime/mod.ts");
    const { summary } = await import("../reporter.ts");
    const more = { ...noWait && { followTasks: false }, ...yes && { yes } };
    using work = await context.migrations(more);
    const reports = await runMigrations(type, work.options).finally(flushTelemetry);
    const others = reports.filter(({ outcome }) => outcome === undefined);
    for (const report of others) {
      const connection = titleOf(type, work.options, report.connection);
      screen.write(`${summary({ ...report, connection }, screen.colors)}\n`);
    }
    if (others.length < reports.length) {
      for (const addition of await program.additions()) addition.showRuns?.(reports, work);
    }
    if (reports.length === 0) screen.write(`${nothingToDo(type, work.options)}\n`);
    for (const { error } of others) if (error) work.tellError(error);
    context.printJson(document(reports));
    const failed = work.codeOf(reports.flatMap(({ error }) => error ?? []));
    if (failed !== undefined) return failed;
    if (reports.some(({ stopped }) => stopped)) return work.stopCode();
  },
});

function failureOf(error: Error | undefined): Record<string, unknown> {
  if (error?.name !== "MigrationFailedError") return { error: error?.message };
  const { message, line, column } = error as MigrationFailedError;
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
