import type { FileProblem } from "../../migrations/runner/mod.ts";
import { command } from "../command.ts";
import { EXIT } from "../exit_codes.ts";
import { tellProblem } from "../report.ts";
import { count, tell } from "../screen.ts";

export const declared = command({
  name: "validate",
  description: "check the files without connecting to a server",
  examples: [
    ["validate -m search", "check search migrations, for example in CI"],
    ["validate --format github", "annotate the lines of a pull request"],
  ],
  worked: `
$ irori validate -m search
logs: 12 files, valid
`,
  isReading: true,
  hasFindings: true,
  async run(context) {
    const { globals: { type }, screen } = context;
    using work = await context.migrations();
    const { validateMigrations } = await import("../../migrations/commands.ts");
    const findings = await validateMigrations(type, work.options);
    for (const { connection, found: { files, problems } } of findings) {
      const result = problems.length === 0 ? "valid" : count(problems.length, "problem");
      screen.write(`${connection}: ${count(files, "file")}, ${result}\n`, connection);
      const { shown, rest } = newest(problems);
      for (const problem of shown) tellProblem(screen, problem, connection);
      for (const line of rest) tell(screen, "warning", `${connection}: ${line}`);
    }
    work.print(findings.map(({ connection, found }) => ({ connection, ...found })));
    await work.report(async (places) => {
      const { problemFindings } = await import("../findings.ts");
      return findings.flatMap(({ connection, found }) => {
        return problemFindings(places, connection, found.problems);
      });
    });
    const problems = findings.flatMap(({ found }) => found.problems);
    return problems.some(({ severity }) => severity === "error") ? EXIT.invalid : EXIT.done;
  },
});

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
