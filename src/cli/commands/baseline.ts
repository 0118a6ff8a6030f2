import { baselineMigrations } from "../../migrations/commands.ts";
import type { BaselineOptions } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printConnections } from "./_context.ts";

export async function baseline(
  runtime: Runtime,
  globals: GlobalOptions & BaselineOptions,
): Promise<number> {
  const { until, changed } = globals;
  if (until !== undefined && changed !== undefined) {
    throw new UsageError("Expected one of --until and --changed, found both");
  }
  using context = await commandContext(runtime, globals);
  const { screen, options } = context;
  const which = until !== undefined ? { until } : changed !== undefined ? { changed } : {};
  const findings = await baselineMigrations(globals.type, which, options);
  const named = until ?? changed;
  if (named !== undefined && findings.length === 0) {
    throw new UsageError(`No enabled connection has a file '${named}'`);
  }
  if (changed !== undefined && findings.every(({ found }) => found.length === 0)) {
    throw new UsageError(`'${changed}' has not changed since it was applied: nothing to record`);
  }
  for (const { connection, found } of findings) {
    screen.write(`${connection}: ${found.length} recorded without applying\n`);
    for (const file of found) screen.write(`  recorded  ${file}\n`);
  }
  const documents = findings.map(({ connection, found }) => ({ connection, recorded: found }));
  printConnections(runtime, globals, context, documents);
  return EXIT.done;
}
