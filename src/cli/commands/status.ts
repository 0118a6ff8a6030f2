import { migrationStatus } from "../../migrations/commands.ts";
import { type ConnectionStatus, type FileStatus, isAtWork } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { printable } from "../../text/mod.ts";
import { exitCodeOfAll } from "../exit_code_of.ts";
import { EXIT } from "../exit_codes.ts";
import { describeError } from "../report.ts";
import { type Colors, tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printConnections, printFormat } from "./_context.ts";

export async function status(
  runtime: Runtime,
  globals: GlobalOptions & { readonly check?: boolean },
): Promise<number> {
  using context = await commandContext(runtime, globals);
  const { screen, options } = context;
  const findings = await migrationStatus(globals.type, options);
  // One tenant is shown as a connection is.
  const isTable = findings.filter(({ tenant }) => tenant !== undefined).length > 1;
  const tables = isTable ? await import("../tenants.ts") : undefined;
  for (const { connection, tenant, found } of findings) {
    if (tables && tenant !== undefined) continue;
    if (found instanceof Error) {
      tell(screen, "error", describeError(found));
      continue;
    }
    screen.write(`${connection}: ${summary(found)}\n`, connection);
    for (const file of found.files) screen.write(`  ${lineOf(file, screen.colors)}\n`);
  }
  tables?.tenantTable(findings, screen);
  const documents = findings.map(({ found, ...place }) =>
    found instanceof Error ? { ...place, error: found.message } : { ...place, ...found }
  );
  printConnections(runtime, globals, context, documents);
  await printFormat(runtime, globals, context, async (places) => {
    const { statusFindings } = await import("../formats/statuses.ts");
    return statusFindings(places, findings, globals.check === true);
  });
  const failed = exitCodeOfAll(
    findings.map(({ found }) => found).filter((found) => found instanceof Error),
  );
  if (failed !== undefined) return failed;
  const isUpToDate = findings.every(({ found }) =>
    !(found instanceof Error) && found.files.every(isSettled)
  );
  return globals.check && !isUpToDate ? EXIT.pending : EXIT.done;
}

const COLORS = {
  applied: "green",
  pending: "yellow",
  changed: "yellow",
  interrupted: "red",
  missing: "dim",
} as const;

function isSettled({ state }: FileStatus): boolean {
  return state === "applied" || state === "missing";
}

function summary({ files, lockedBy }: ConnectionStatus): string {
  const states = ["applied", "pending", "changed", "interrupted", "missing"] as const;
  const parts = states.map((state) => [files.filter((file) => file.state === state).length, state])
    .filter(([number]) => number !== 0).map(([number, state]) => `${number} ${state}`);
  const lock = lockedBy === undefined
    ? ""
    : isAtWork(lockedBy)
    ? `; another run is at work: ${lockedBy.owner}`
    : `; the lock of ${lockedBy.owner} has run out`;
  return `${parts.length === 0 ? "no files" : parts.join(", ")}${lock}`;
}

function lineOf(
  { state, file, executedAt, executedBy, known }: FileStatus,
  colors: Colors,
): string {
  const by = executedBy === undefined ? "" : ` by ${executedBy}`;
  const facts = [executedAt && `${executedAt.toISOString()}${by}`, known]
    .filter((fact) => fact !== undefined);
  const paint = colors[COLORS[state]];
  const beside = facts.length === 0 ? "" : `  ${colors.dim(`(${facts.join("; ")})`)}`;
  return `${paint(state.padEnd(11))}  ${printable(file)}${beside}`;
}
