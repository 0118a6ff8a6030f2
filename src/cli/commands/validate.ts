import { validateMigrations } from "../../migrations/commands.ts";
import { describeProblem } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { EXIT } from "../exit_codes.ts";
import { count } from "../report.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, nothingEnabled, printJson } from "./_context.ts";

/** Checks the files without a single request. */
export async function validate(runtime: Runtime, globals: GlobalOptions): Promise<number> {
  using context = await commandContext(runtime, globals);
  const { screen, options } = context;
  const { logColors } = screen;
  const findings = await validateMigrations(globals.type, options);
  for (const { connection, found: { files, problems } } of findings) {
    const result = problems.length === 0 ? "valid" : count(problems.length, "problem");
    screen.write(`${connection}: ${count(files, "file")}, ${result}\n`);
    for (const problem of problems) {
      const paint = problem.severity === "error" ? logColors.red : logColors.yellow;
      const text = describeProblem(problem, connection);
      screen.log(`${paint(`${problem.severity}:`)} ${text}\n`);
    }
  }
  if (findings.length === 0) screen.write(`${nothingEnabled(globals.type)}\n`);
  printJson(runtime, globals, {
    connections: findings.map(({ connection, found }) => ({ connection, ...found })),
  });
  const hasErrors = findings.some(({ found }) =>
    found.problems.some(({ severity }) => severity === "error")
  );
  return hasErrors ? EXIT.invalid : EXIT.done;
}
