import { validateMigrations } from "../../migrations/mod.ts";
import { describeProblem, InvalidFilesError } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { exitCodeOf } from "../exit_codes.ts";
import { count, reporter } from "../report.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, printJson } from "./_context.ts";

/** Checks the files without a single request. */
export async function validate(runtime: Runtime, options: GlobalOptions): Promise<number> {
  const screen = createScreen(runtime, options);
  const { logColors } = screen;
  const connections = await connectionsFor(runtime, options, reporter(screen, options));
  const findings = await validateMigrations(options.type, connections);
  const errors = findings.flatMap(({ found }) => found.problems)
    .filter(({ severity }) => severity === "error");
  for (const { connection, found: { files, problems } } of findings) {
    const result = problems.length === 0 ? "valid" : count(problems.length, "problem");
    screen.write(`${connection}: ${count(files, "file")}, ${result}\n`);
    for (const problem of problems) {
      const paint = problem.severity === "error" ? logColors.red : logColors.yellow;
      const text = `${connection}/${describeProblem(problem)}`;
      screen.log(`${paint(`${problem.severity}:`)} ${text}\n`);
    }
  }
  if (findings.length === 0) screen.write(`${nothingEnabled(options.type)}\n`);
  printJson(runtime, options, {
    connections: findings.map(({ connection, found }) => ({ connection, ...found })),
  });
  return errors.length > 0 ? exitCodeOf(new InvalidFilesError(errors)) : 0;
}
