import { migrationDrift } from "../../migrate/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { reporter } from "../report.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, outputFor, printJson } from "./_context.ts";
import { describeDifferences } from "./plan.ts";

/** Exit code when something differs. */
const DRIFT = 5;

/** Compares live templates, policies, mappings and settings with what was applied. */
export async function drift(runtime: Runtime, options: GlobalOptions): Promise<number> {
  if (options.type !== "search") {
    throw new UsageError("Cannot look for drift in SQL databases: expected '-m search'");
  }
  const out = outputFor(runtime, options);
  const connections = await connectionsFor(runtime, options, reporter(out, runtime.stderr));
  const findings = await migrationDrift(options.type, connections);
  for (const { connection, found } of findings) {
    out.write(`${connection}: ${found.length === 0 ? "no drift" : `${found.length} differ`}\n`);
    for (const { migration, resource, differences, note } of found) {
      out.write(
        `  ${resource}  (${migration.file.path})${note === undefined ? "" : `: ${note}`}\n`,
      );
      for (const line of describeDifferences(differences)) out.write(`    ${line}\n`);
    }
  }
  if (findings.length === 0) out.write(`${nothingEnabled(options.type)}\n`);
  printJson(runtime, options, {
    connections: findings.map(({ connection, found }) => ({
      connection,
      drift: found.map(({ migration, ...rest }) => ({ file: migration.file.path, ...rest })),
    })),
  });
  return findings.some(({ found }) => found.length > 0) ? DRIFT : 0;
}
