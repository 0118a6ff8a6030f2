import { validateMigrations } from "../../migrations/commands.ts";
import type { FileProblem } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { EXIT } from "../exit_codes.ts";
import { count, tellProblem } from "../report.ts";
import { tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printConnections, printFormat } from "./_context.ts";

export async function validate(runtime: Runtime, globals: GlobalOptions): Promise<number> {
  using context = await commandContext(runtime, globals);
  const { screen, options } = context;
  const findings = await validateMigrations(globals.type, options);
  for (const { connection, found: { files, problems } } of findings) {
    const result = problems.length === 0 ? "valid" : count(problems.length, "problem");
    screen.write(`${connection}: ${count(files, "file")}, ${result}\n`, connection);
    const { shown, rest } = newest(problems);
    for (const problem of shown) tellProblem(screen, problem, connection);
    for (const line of rest) tell(screen, "warning", `${connection}: ${line}`);
  }
  const documents = findings.map(({ connection, found }) => ({ connection, ...found }));
  printConnections(runtime, globals, context, documents);
  await printFormat(runtime, globals, context, async (places) => {
    const { problemFindings } = await import("../formats/files.ts");
    return findings.flatMap(({ connection, found }) => {
      return problemFindings(places, connection, found.problems);
    });
  });
  const hasErrors = findings.some(({ found }) =>
    found.problems.some(({ severity }) => severity === "error")
  );
  return hasErrors ? EXIT.invalid : EXIT.done;
}

const SHOWN = 20;

/** Lint warnings of the newest files in full; of older files, which can no longer change, the number per rule. */
function newest(
  problems: readonly FileProblem[],
): { readonly shown: readonly FileProblem[]; readonly rest: readonly string[] } {
  const findings = problems.filter(({ rule, severity }) => rule && severity === "warning");
  const older = new Set(findings.slice(0, -SHOWN));
  if (older.size === 0) return { shown: problems, rest: [] };
  const counts = Map.groupBy(older, ({ rule }) => rule);
  const rules = [...counts].map(([rule, { length }]) => `${rule} ${length}`).join(", ");
  const last = [...older].at(-1)?.path;
  const rest = `${count(older.size, "finding")} up to '${last}' not shown: ${rules}. ` +
    "'migrations.lint_from: <file>' leaves out files that were applied long ago";
  return { shown: problems.filter((problem) => !older.has(problem)), rest: [rest] };
}
