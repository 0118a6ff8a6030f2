import { runMigrations, type RunReport } from "../../migrations/mod.ts";
import type { Runtime, TerminationSignal } from "../../runtime/mod.ts";
import { exitCodeOf, exitCodeOfSignal } from "../exit_codes.ts";
import { describeError, reporter, summary } from "../report.ts";
import { createScreen, type Screen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, printJson } from "./_context.ts";

/** Applies what is new or changed and says what it did. */
export async function migrate(runtime: Runtime, options: GlobalOptions): Promise<number> {
  const screen = createScreen(runtime, options);
  const connections = await connectionsFor(runtime, options, reporter(screen, options));
  const stop = stopOnSignal(runtime, screen);
  try {
    const reports = await runMigrations(options.type, { ...connections, signal: stop.signal });
    for (const report of reports) screen.write(`${summary(report, screen.colors)}\n`);
    if (reports.length === 0) screen.write(`${nothingEnabled(options.type)}\n`);
    const error = reports.find((report) => report.error)?.error;
    if (error) screen.log(`${screen.logColors.red("error:")} ${describeError(error)}\n`);
    printJson(runtime, options, document(reports));
    if (error) return exitCodeOf(error);
    return stop.received() && reports.some(({ stopped }) => stopped)
      ? exitCodeOfSignal(stop.received()!)
      : 0;
  } finally {
    stop.dispose();
  }
}

/** The first signal lets the file in hand finish; a second one ends the process at once. */
function stopOnSignal(runtime: Runtime, screen: Screen): {
  readonly signal: AbortSignal;
  received(): TerminationSignal | undefined;
  dispose(): void;
} {
  const controller = new AbortController();
  let received: TerminationSignal | undefined;
  const dispose = runtime.onTermination((signal) => {
    if (received !== undefined) runtime.exit(exitCodeOfSignal(signal));
    received = signal;
    screen.log(`${signal}: finishing the file in hand; again to end at once\n`);
    controller.abort();
  });
  return { signal: controller.signal, received: () => received, dispose };
}

/** What `--json` prints. */
function document(reports: readonly RunReport[]): unknown {
  return {
    connections: reports.map(({ connection, results, error, stopped, requests }) => ({
      connection,
      stopped,
      requests,
      results: results.map((result) => ({ ...result, error: result.error?.message })),
      error: error?.message,
    })),
  };
}
