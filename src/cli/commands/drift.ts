import { migrationDrift } from "../../migrations/commands.ts";
import { schemaDrifts } from "../../features/schema/checks.ts";
import type { Drift } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { count } from "../report.ts";
import { type CommandContext, commandContext, printConnections, printFormat } from "./_context.ts";
import { describeDifferences } from "./plan.ts";
import { reportDifferences } from "./schema.ts";

export interface DriftOptions extends GlobalOptions {
  readonly url?: string;
}

export async function drift(runtime: Runtime, globals: DriftOptions): Promise<number> {
  if (globals.type === "search" && globals.url !== undefined) {
    throw new UsageError("'--url' names a database: expected it without '-m search'");
  }
  using context = await commandContext(runtime, globals);
  return globals.type === "search"
    ? await driftOfClusters(runtime, globals, context)
    : await driftOfDatabases(runtime, globals, context);
}

async function driftOfDatabases(
  runtime: Runtime,
  globals: DriftOptions,
  context: CommandContext,
): Promise<number> {
  const { colors } = context.screen;
  const findings = await schemaDrifts(globals.url, {
    ...context.options,
    onFailure: context.fail,
  });
  return reportDifferences(runtime, globals, context, findings, ({ path, files, differences }) => {
    const expected = path === undefined ? count(files, "applied file") : `'${path}'`;
    return differences.length === 0
      ? colors.green(`no drift from ${expected}`)
      : colors.red(`the schema differs from ${expected}`);
  });
}

async function driftOfClusters(
  runtime: Runtime,
  globals: DriftOptions,
  context: CommandContext,
): Promise<number> {
  const { screen, options } = context;
  const { colors } = screen;
  const findings = await migrationDrift(globals.type, { ...options, onFailure: context.fail });
  for (const { connection, found } of findings) {
    const differing = found.filter(hasDrifted);
    for (const { file, resource, note } of found.filter((one) => !hasDrifted(one))) {
      tell(screen, "notice", `${connection}/${file}: ${resource}: ${note}`);
    }
    screen.write(
      `${connection}: ${
        differing.length === 0 ? colors.green("no drift") : colors.red(`${differing.length} differ`)
      }\n`,
      connection,
    );
    for (const { file, resource, differences, note } of differing) {
      screen.write(`  ${resource}  (${file})${note === undefined ? "" : `: ${note}`}\n`);
      for (const line of describeDifferences(differences, colors)) screen.write(`    ${line}\n`);
    }
  }
  const documents = findings.map(({ connection, found }) => ({
    connection,
    drift: found.filter(hasDrifted),
    notices: found.filter((one) => !hasDrifted(one)),
  }));
  const failed = printConnections(runtime, globals, context, documents);
  await printFormat(runtime, globals, context, async (places) => {
    return (await import("../formats/differences.ts")).driftFindings(places, findings);
  });
  const differs = findings.some(({ found }) => found.some(hasDrifted));
  return failed ?? (differs ? EXIT.differs : EXIT.done);
}

function hasDrifted({ differences }: Drift): boolean {
  return differences.length > 0;
}
