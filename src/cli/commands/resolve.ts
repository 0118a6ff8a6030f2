import { resolveMigration } from "../../migrations/commands.ts";
import type { Resolution } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";

/** What a person found out about a file that a run was cut off in. */
export interface ResolveOptions extends GlobalOptions {
  readonly applied?: boolean;
  readonly retry?: boolean;
}

/** The way out after an interruption. */
export async function resolve(
  runtime: Runtime,
  globals: ResolveOptions,
  [file]: readonly string[],
): Promise<number> {
  if (file === undefined || Boolean(globals.applied) === Boolean(globals.retry)) {
    throw new UsageError("Expected one of --applied (it was applied) and --retry (it was not)");
  }
  using context = await commandContext(runtime, globals);
  const { screen, options } = context;
  const answer = globals.applied ? "applied" : "retry";
  const findings = await resolveMigration(globals.type, file, answer, options);
  if (findings.length === 0) {
    throw new UsageError(`Cannot resolve '${file}': no run was cut off in it`);
  }
  for (const { connection, found } of findings) {
    screen.write(`${connection}: ${file}: ${nextOf(answer, found)}\n`);
    screen.write(`  ${screen.colors.dim(`known: ${found.known}`)}\n`);
  }
  printJson(runtime, globals, {
    file,
    answer,
    connections: findings.map(({ connection, found: { known, isPending } }) => {
      return { connection, known, isPending };
    }),
  });
  return EXIT.done;
}

function nextOf(answer: "applied" | "retry", { isPending }: Resolution): string {
  if (answer === "applied") {
    return isPending
      ? "recorded as applied as it was then; the file was changed since, so the next run applies it"
      : "recorded as applied";
  }
  return isPending
    ? "the next run applies it"
    : "recorded as it was before; there is nothing left to apply";
}
