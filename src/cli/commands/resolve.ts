import { resolveMigration } from "../../migrations/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { reporter } from "../report.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, printJson } from "./_context.ts";

/** What a person found out about a file that a run was cut off in. */
export interface ResolveOptions extends GlobalOptions {
  readonly applied?: boolean;
  readonly retry?: boolean;
}

/** The way out after an interruption. */
export async function resolve(
  runtime: Runtime,
  options: ResolveOptions,
  [file]: readonly string[],
): Promise<number> {
  if (file === undefined || options.applied === options.retry) {
    throw new UsageError("Expected one of --applied (it was applied) and --retry (it was not)");
  }
  const screen = createScreen(runtime, options);
  const connections = await connectionsFor(runtime, options, reporter(screen, options));
  const answer = options.applied ? "applied" : "retry";
  const findings = await resolveMigration(options.type, file, answer, connections);
  const settled = findings.filter(({ found }) => found).map(({ connection }) => connection);
  if (findings.length === 0) throw new UsageError(`No enabled connection has a file '${file}'`);
  if (settled.length === 0) {
    throw new UsageError(`Cannot resolve '${file}': no run was cut off in it`);
  }
  const next = options.applied ? "recorded as applied" : "the next run applies it";
  for (const connection of settled) screen.write(`${connection}: ${file}: ${next}\n`);
  printJson(runtime, options, { file, answer, connections: settled });
  return 0;
}
