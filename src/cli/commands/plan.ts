import { describeProblem } from "../../migrations/runner/problems.ts";
import type { Preview } from "../../migrations/runner/mod.ts";
import { printable } from "../../text/mod.ts";
import { command } from "../command.ts";
import { EXIT } from "../exit_codes.ts";
import { flag } from "../option.ts";
import { describeDifferences } from "../report.ts";
import { type Colors, marked } from "../screen.ts";

export const declared = command({
  name: "plan",
  description: "print what 'migrate' would send, and the differences from live resources",
  options: { yes: flag("plan files beside tables that no file creates (sql)") },
  examples: [["plan -m search --connection logs", "show what connection 'logs' would receive"]],
  worked: `
$ irori plan
main: 1 to apply
  002_items.sql  (sql 1 statement)
    CREATE TABLE items (id INTEGER PRIMARY KEY)
`,
  isReading: true,
  hasFindings: true,
  async run(context, { yes }) {
    const { globals: { type }, screen } = context;
    const { colors } = screen;
    using work = await context.migrations(yes ? { yes } : {});
    const { mergeParts, planMigrations, titleOf } = await import("../../migrations/commands.ts");
    const findings = await planMigrations(type, { ...work.options, onFailure: work.fail });
    const merged = mergeParts(findings);
    for (const { connection, found: { steps, notices, dangers = [] } } of merged) {
      const title = steps.length === 0 ? "nothing to apply" : `${steps.length} to apply`;
      screen.write(`${titleOf(type, work.options, connection)}: ${title}\n`, connection);
      for (const { file, message } of notices) {
        const place = file === undefined ? "" : `${printable(file)}: `;
        screen.write(`  ${colors.yellow("notice:")} ${place}${message}\n`);
      }
      for (const { path, message } of dangers) {
        screen.write(`  ${colors.red("wants '--yes':")} ${printable(path)}: ${message}\n`);
      }
      for (const step of steps) {
        screen.write(`  ${printable(step.file)}  (${step.kind} ${step.resource})\n`);
        for (const line of linesOf(step, colors)) screen.write(`    ${line}\n`);
        for (const problem of step.findings ?? []) {
          const text = marked(problem.severity, describeProblem(problem, connection), colors);
          screen.write(`  ${text.replaceAll("\n", "\n  ")}\n`);
        }
      }
    }
    const failed = work.print(merged.map(({ found, ...place }) => ({ ...place, ...found })));
    await work.report((places, { planFindings }) => planFindings(places, findings));
    const isRefused = findings.some(({ found: { steps } }) => {
      return steps.some((step) => step.findings?.some(({ severity }) => severity === "error"));
    });
    return failed ?? (isRefused ? EXIT.invalid : EXIT.done);
  },
});

function linesOf(
  { requests, differences, note, consequences = [] }: Preview,
  colors: Colors,
): readonly string[] {
  return [
    ...requests.flatMap((request) =>
      request.split(/\r?\n/).map((line) => printable(line, /(?!\t)\p{Cc}/gu))
    ),
    ...(note === undefined ? [] : [colors.dim(`# ${note}`)]),
    ...consequences.map((consequence) => colors.dim(`# ${consequence}`)),
    ...describeDifferences(differences ?? [], colors),
  ];
}
