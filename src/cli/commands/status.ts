import { type FileStatus, migrationStatus } from "../../migrations/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { reporter } from "../report.ts";
import { type Colors, createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { connectionsFor, nothingEnabled, printJson } from "./_context.ts";

/** Exit code of `--check` when the next run has something to do. */
const PENDING = 4;

/** Says where each file stands. */
export async function status(
  runtime: Runtime,
  options: GlobalOptions & { readonly check?: boolean },
): Promise<number> {
  const screen = createScreen(runtime, options);
  const connections = await connectionsFor(runtime, options, reporter(screen, options));
  const findings = await migrationStatus(options.type, connections);
  for (const { connection, found } of findings) {
    screen.write(`${connection}: ${summary(found)}\n`);
    for (const file of found) screen.write(`  ${lineOf(file, screen.colors)}\n`);
  }
  if (findings.length === 0) screen.write(`${nothingEnabled(options.type)}\n`);
  printJson(runtime, options, {
    connections: findings.map(({ connection, found }) => ({ connection, files: found })),
  });
  const upToDate = findings.every(({ found }) => found.every(isSettled));
  return options.check && !upToDate ? PENDING : 0;
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

function summary(files: readonly FileStatus[]): string {
  const states = ["applied", "pending", "changed", "interrupted", "missing"] as const;
  const parts = states.map((state) => [files.filter((file) => file.state === state).length, state])
    .filter(([number]) => number !== 0).map(([number, state]) => `${number} ${state}`);
  return parts.length === 0 ? "no files" : parts.join(", ");
}

function lineOf({ state, file, executedAt, executedBy }: FileStatus, colors: Colors): string {
  const when = executedAt === undefined ? "" : executedAt.toISOString();
  const by = executedBy === undefined ? "" : ` by ${executedBy}`;
  const paint = colors[COLORS[state]];
  return `${paint(state.padEnd(11))}  ${file}${
    when === "" ? "" : `  ${colors.dim(`(${when}${by})`)}`
  }`;
}
