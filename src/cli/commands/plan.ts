import { type Difference, planMigrations, type Preview } from "../../migrate/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { reporter } from "../report.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, outputFor, printJson } from "./_context.ts";

/** Prints what `migrate` would send, and how the live resources differ. */
export async function plan(runtime: Runtime, options: GlobalOptions): Promise<number> {
  const out = outputFor(runtime, options);
  const connections = await connectionsFor(runtime, options, reporter(out, runtime.stderr));
  const findings = await planMigrations(options.type, connections);
  for (const { connection, found: { steps, notices } } of findings) {
    out.write(
      `${connection}: ${steps.length === 0 ? "nothing to apply" : `${steps.length} to apply`}\n`,
    );
    for (const { file, message } of notices) out.write(`  notice: ${file}: ${message}\n`);
    for (const { migration, preview } of steps) {
      out.write(`  ${migration.file.path}  (${migration.kind} ${migration.resource})\n`);
      for (const line of linesOf(preview)) out.write(`    ${line}\n`);
    }
  }
  if (findings.length === 0) out.write(`${nothingEnabled(options.type)}\n`);
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
function linesOf({ requests, differences, note }: Preview): readonly string[] {
  return [
    ...requests.flatMap((request) => request.split("\n")),
    ...(note === undefined ? [] : [`# ${note}`]),
    ...describeDifferences(differences ?? []),
  ];
}

/** Each difference as what is there and what the file says. */
export function describeDifferences(differences: readonly Difference[]): readonly string[] {
  return differences.flatMap(({ path, live, wanted }) => [
    `@ ${path === "" ? "(the whole)" : path}`,
    ...(live === undefined ? [] : [`- ${JSON.stringify(live)}`]),
    ...(wanted === undefined ? [] : [`+ ${JSON.stringify(wanted)}`]),
  ]);
}
