import { type Difference, planMigrations, type Preview } from "../../migrations/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { reporter } from "../report.ts";
import { type Colors, createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, printJson } from "./_context.ts";

/** Prints what `migrate` would send, and how the live resources differ. */
export async function plan(runtime: Runtime, options: GlobalOptions): Promise<number> {
  const screen = createScreen(runtime, options);
  const connections = await connectionsFor(runtime, options, reporter(screen, options));
  const findings = await planMigrations(options.type, connections);
  for (const { connection, found: { steps, notices } } of findings) {
    screen.write(
      `${connection}: ${steps.length === 0 ? "nothing to apply" : `${steps.length} to apply`}\n`,
    );
    for (const { file, message } of notices) {
      screen.write(`  ${screen.colors.yellow("notice:")} ${file}: ${message}\n`);
    }
    for (const { migration, preview } of steps) {
      screen.write(`  ${migration.file.path}  (${migration.kind} ${migration.resource})\n`);
      for (const line of linesOf(preview, screen.colors)) screen.write(`    ${line}\n`);
    }
  }
  if (findings.length === 0) screen.write(`${nothingEnabled(options.type)}\n`);
  printJson(runtime, options, {
    connections: findings.map(({ connection, found }) => ({
      connection,
      notices: found.notices,
      steps: found.steps.map(({ migration, preview }) => ({
        file: migration.file.path,
        kind: migration.kind,
        resource: migration.resource,
        ...preview,
      })),
    })),
  });
  return 0;
}

/** The requests of a file, then what differs. */
function linesOf(
  { requests, differences, note }: Preview,
  colors: Colors,
): readonly string[] {
  return [
    ...requests.flatMap((request) => request.split("\n")),
    ...(note === undefined ? [] : [colors.dim(`# ${note}`)]),
    ...describeDifferences(differences ?? [], colors),
  ];
}

/** Each difference as what is there and what the file says. */
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
