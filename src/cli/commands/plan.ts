import { planMigrations } from "../../migrations/commands.ts";
import type { Difference, Preview } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { EXIT } from "../exit_codes.ts";
import type { Colors } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { problemText } from "../report.ts";
import { commandContext, printConnections, printFormat } from "./_context.ts";

export async function plan(runtime: Runtime, globals: GlobalOptions): Promise<number> {
  using context = await commandContext(runtime, globals);
  const { screen, options } = context;
  const findings = await planMigrations(globals.type, { ...options, onFailure: context.fail });
  for (const { connection, found: { steps, notices, dangers = [] } } of findings) {
    screen.write(
      `${connection}: ${steps.length === 0 ? "nothing to apply" : `${steps.length} to apply`}\n`,
      connection,
    );
    for (const { file, message } of notices) {
      const place = file === undefined ? "" : `${file}: `;
      screen.write(`  ${screen.colors.yellow("notice:")} ${place}${message}\n`);
    }
    for (const { path, message } of dangers) {
      screen.write(`  ${screen.colors.red("wants '--yes':")} ${path}: ${message}\n`);
    }
    for (const step of steps) {
      screen.write(`  ${step.file}  (${step.kind} ${step.resource})\n`);
      for (const line of linesOf(step, screen.colors)) screen.write(`    ${line}\n`);
      for (const finding of step.findings ?? []) {
        const lines = problemText(finding, connection, screen.colors).split("\n");
        for (const line of lines) screen.write(`  ${line}\n`);
      }
    }
  }
  const documents = findings.map(({ connection, found }) => ({ connection, ...found }));
  const failed = printConnections(runtime, globals, context, documents);
  await printFormat(runtime, globals, context, async (places) => {
    return (await import("../formats/files.ts")).planFindings(places, findings);
  });
  const isRefused = findings.some(({ found: { steps } }) => {
    return steps.some((step) => step.findings?.some(({ severity }) => severity === "error"));
  });
  return failed ?? (isRefused ? EXIT.invalid : EXIT.done);
}

function linesOf(
  { requests, differences, note, consequences = [] }: Preview,
  colors: Colors,
): readonly string[] {
  return [
    ...requests.flatMap((request) => request.split("\n")),
    ...(note === undefined ? [] : [colors.dim(`# ${note}`)]),
    ...consequences.map((consequence) => colors.dim(`# ${consequence}`)),
    ...describeDifferences(differences ?? [], colors),
  ];
}

export function describeDifferences(
  differences: readonly Difference[],
  colors: Colors,
): readonly string[] {
  return differences.flatMap(({ path, live, wanted }) => [
    colors.cyan(`@ ${path === "" ? "(the whole)" : path}`),
    ...(live === undefined ? [] : [colors.red(`- ${JSON.stringify(live)}`)]),
    ...(wanted === undefined ? [] : [colors.green(`+ ${JSON.stringify(wanted)}`)]),
  ]);
}
