import { validateMigrations } from "../../migrate/mod.ts";
import { describeProblem, InvalidFilesError } from "../../migrations/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { exitCodeOf } from "../exit_codes.ts";
import { reporter } from "../report.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, outputFor, printJson } from "./_context.ts";

/** Checks the files without a single request. */
export async function validate(runtime: Runtime, options: GlobalOptions): Promise<number> {
  const out = outputFor(runtime, options);
  const connections = await connectionsFor(runtime, options, reporter(out, runtime.stderr));
  const findings = await validateMigrations(options.type, connections);
  const errors = findings.flatMap(({ found }) => found.problems)
    .filter(({ severity }) => severity === "error");
  for (const { connection, found: { files, problems } } of findings) {
    out.write(
      `${connection}: ${files} files, ${
        problems.length === 0 ? "valid" : `${problems.length} problems`
      }\n`,
    );
    for (const problem of problems) {
      const text = `${problem.severity}: ${connection}/${describeProblem(problem)}`;
      runtime.stderr.write(`${text}\n`);
    }
  }
  if (findings.length === 0) out.write(`${nothingEnabled(options.type)}\n`);
  printJson(runtime, options, {
    connections: findings.map(({ connection, found }) => ({ connection, ...found })),
  });
  return errors.length > 0 ? exitCodeOf(new InvalidFilesError(errors)) : 0;
}
