import type { Adoption } from "../../features/adopt/adopt.ts";
import type { AdoptedRow } from "../../features/adopt/adopt_rows.ts";
import { adoptMigrations, rewriteMigrations } from "../../features/adopt/rewrite.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { printable } from "../../text/mod.ts";
import { UsageError } from "../errors.ts";
import { exitCodeOfAll } from "../exit_code_of.ts";
import { EXIT } from "../exit_codes.ts";
import { count, describeError } from "../report.ts";
import { type Colors, type Screen, tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { type CommandContext, commandContext, printConnections } from "./_context.ts";

export interface AdoptCommandOptions extends GlobalOptions {
  readonly dryRun?: boolean;
  readonly from?: string;
  readonly table?: string;
  readonly write?: boolean;
  readonly apply?: readonly string[];
  readonly skip?: readonly string[];
  readonly changed?: readonly string[];
}

export async function adopt(runtime: Runtime, globals: AdoptCommandOptions): Promise<number> {
  const { dryRun = false, from, table, write = false } = globals;
  const { apply = [], skip = [], changed = [] } = globals;
  const named = [from, table, ...apply, ...skip, ...changed].filter((name) => name !== undefined);
  if (write && (dryRun || named.length > 0)) {
    throw new UsageError("Expected no other option of 'adopt' with --write, which uses no server");
  }
  const both = apply.find((file) => skip.includes(file));
  if (both !== undefined) throw new UsageError(`Expected one of --apply and --skip for '${both}'`);
  using context = await commandContext(runtime, globals);
  if (write) return await rewrite(runtime, globals, context);
  const { screen, options } = context;
  const which = { dryRun, from, table, apply, skip, changed };
  const findings = await adoptMigrations(globals.type, which, options);
  const errors: Error[] = [];
  for (const { connection, found } of findings) {
    if (!(found instanceof Error)) show(screen, connection, found, which);
    const error = found instanceof Error ? found : found.refused;
    if (error === undefined) continue;
    errors.push(error);
    tell(screen, "error", describeError(error));
  }
  const documents = findings.map(({ connection, found }) => {
    if (found instanceof Error) return { connection, error: found.message };
    const { refused, ...rest } = found;
    return { connection, ...rest, ...(refused && { error: refused.message }) };
  });
  printConnections(runtime, globals, context, documents);
  return exitCodeOfAll(errors) ?? EXIT.done;
}

async function rewrite(
  runtime: Runtime,
  globals: GlobalOptions,
  context: CommandContext,
): Promise<number> {
  const { screen } = context;
  const findings = await rewriteMigrations(globals.type, context.options);
  for (const { connection, found } of findings) {
    screen.write(`${connection}: ${count(found.length, "file")} written\n`);
    for (const file of found) screen.write(`  written  ${printable(file)}\n`);
  }
  const documents = findings.map(({ connection, found }) => ({ connection, written: found }));
  printConnections(runtime, globals, context, documents);
  return EXIT.done;
}

function show(
  screen: Screen,
  connection: string,
  { tool, place, rows, pending, notices, isRecorded, refused }: Adoption,
  { dryRun, from }: { readonly dryRun: boolean; readonly from: string | undefined },
): void {
  if (tool === undefined) {
    screen.write(
      `${connection}: ${from === "none" ? begun(dryRun) : "no history of another tool"}\n`,
    );
    return;
  }
  screen.write(`${connection}: ${tool}, ${place}\n`);
  for (const row of rows) screen.write(`  ${lineOf(row, screen.colors)}\n`);
  const { yellow } = screen.colors;
  for (const file of pending) screen.write(`  ${yellow("pending ")}  ${printable(file)}\n`);
  for (const { file, message } of notices) {
    const where = file === undefined ? connection : `${connection}/${printable(file)}`;
    tell(screen, "notice", `${where}: ${message}`);
  }
  if (refused) return;
  const number =
    new Set(rows.filter(({ state }) => state === "adopted").map(({ file }) => file)).size;
  const what = isRecorded
    ? `${number} recorded without applying`
    : dryRun
    ? `${number} would be recorded without applying`
    : "nothing new to record";
  screen.write(`${connection}: ${what}, ${pending.length} pending\n`);
}

function begun(dryRun: boolean): string {
  return dryRun
    ? "nothing would be recorded"
    : "nothing is recorded; the next run applies the pending files";
}

const COLORS = {
  adopted: "green",
  known: "dim",
  missing: "yellow",
  differs: "red",
  conflict: "red",
  failed: "red",
  omitted: "red",
} as const;

function lineOf({ name, file, state, reason }: AdoptedRow, colors: Colors): string {
  const lines = [
    `${printable(name)}${file === undefined || file === name ? "" : `  = ${printable(file)}`}`,
    ...state === "missing" ? ["the file does not exist"] : reason ?? [],
  ];
  const beside = lines.slice(1).map((line) => `\n${" ".repeat(12)}${colors.dim(printable(line))}`);
  return `${colors[COLORS[state]](state.padEnd(8))}  ${lines[0]}${beside.join("")}`;
}
