import type { FileProblem } from "../../migrations/runner/mod.ts";
import { command } from "../command.ts";
import { EXIT } from "../exit_codes.ts";
import { tellProblem } from "../report.ts";
import { count, tell } from "../screen.ts";

export const declared = command({
  name: "validate",
  description: "check the files without connecting to a server",
  examples: [["validate -m search", "check search migrations, for example in CI"]],
  worked: `
$ irori validate -m search
logs: 12 files, valid
`,
  isReading: true,
  hasFindings: true,
  async run(context) {
    const { globals: { type }, screen } = context;
    using work = await context.migrations();
    const { mergeParts, validateMigrations } = await import("../../migrations/commands.ts");
    const findings = await validateMigrations(type, work.options);
    const merged = mergeParts(findings);
    for (const { connection, found: { files, problems } } of merged) {
      const result = problems.length === 0 ? "valid" : count(problems.length, "problem");
      screen.write(`${connection}: ${count(files, "file")}, ${result}\n`, connection);
      const older = olderWarnings(problems);
      for (const problem of problems) {
        if (!older.has(problem)) tellProblem(screen, problem, connection);
      }
      if (older.size > 0) tell(screen, "warning", `${connection}: ${numbersOf(older)}`);
    }
    work.print(merged.map(({ found, ...place }) => ({ ...place, ...found })));
    await work.report((places, { problemFindings }) =>
      findings.flatMap((one) => problemFindings(places, one.connection, one.found.problems))
    );
    const problems = findings.flatMap(({ found }) => found.problems);
    return problems.some(({ severity }) => severity === "error") ? EXIT.invalid : EXIT.done;
  },
});

const SHOWN = 20;

/** Lint warnings of the newest files are shown in full; of older files, which can no longer change, the number per rule. */
function olderWarnings(problems: readonly FileProblem[]): ReadonlySet<FileProblem> {
  const warnings = problems.filter(({ rule, severity }) => rule && severity === "warning");
  return new Set(warnings.slice(0, -SHOWN));
}

function numbersOf(older: ReadonlySet<FileProblem>): string {
  const counts = Map.groupBy(older, ({ rule }) => rule);
  const rules = [...counts].map(([rule, { length }]) => `${rule} ${length}`).join(", ");
  const last = [...older].at(-1)?.path;
  return `${count(older.size, "finding")} up to '${last}' not shown: ${rules}. ` +
    "'migrations.lint_from: <file>' leaves out files that were applied long ago";
}
