import { baselineMigrations } from "../../migrations/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { reporter } from "../report.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, printJson } from "./_context.ts";

/** Records files as applied without applying them. */
export async function baseline(runtime: Runtime, options: GlobalOptions): Promise<number> {
  const screen = createScreen(runtime, options);
  const connections = await connectionsFor(runtime, options, reporter(screen, options));
  const findings = await baselineMigrations(options.type, connections);
  for (const { connection, found } of findings) {
    screen.write(`${connection}: ${found.length} recorded without applying\n`);
    for (const file of found) screen.write(`  recorded  ${file}\n`);
  }
  if (findings.length === 0) screen.write(`${nothingEnabled(options.type)}\n`);
  printJson(runtime, options, {
    connections: findings.map(({ connection, found }) => ({ connection, recorded: found })),
  });
  return 0;
}
