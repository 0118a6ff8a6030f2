import { migrationDrift } from "../../migrations/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { reporter } from "../report.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, printJson } from "./_context.ts";
import { describeDifferences } from "./plan.ts";

/** Exit code when something differs. */
const DRIFT = 5;

/** Compares live templates, policies, mappings and settings with what was applied. */
export async function drift(runtime: Runtime, options: GlobalOptions): Promise<number> {
  if (options.type !== "search") {
    throw new UsageError("Cannot look for drift in SQL databases: expected '-m search'");
  }
  const screen = createScreen(runtime, options);
  const { colors } = screen;
  const connections = await connectionsFor(runtime, options, reporter(screen, options));
  const findings = await migrationDrift(options.type, connections);
  for (const { connection, found } of findings) {
    screen.write(
      `${connection}: ${
        found.length === 0 ? colors.green("no drift") : colors.red(`${found.length} differ`)
      }\n`,
    );
    for (const { migration, resource, differences, note } of found) {
      screen.write(
        `  ${resource}  (${migration.file.path})${note === undefined ? "" : `: ${note}`}\n`,
      );
      for (const line of describeDifferences(differences, colors)) {
        screen.write(`    ${line}\n`);
      }
    }
  }
  if (findings.length === 0) screen.write(`${nothingEnabled(options.type)}\n`);
  printJson(runtime, options, {
    connections: findings.map(({ connection, found }) => ({
      connection,
      drift: found.map(({ migration, ...rest }) => ({ file: migration.file.path, ...rest })),
    })),
  });
  return findings.some(({ found }) => found.length > 0) ? DRIFT : 0;
}
