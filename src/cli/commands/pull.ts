import {
  pullMigrations,
  type PullReport,
  type PullResult,
} from "../../features/pull/pull_files.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { printable, quoted } from "../../text/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { refuseFiles, tellProblem } from "../report.ts";
import { type Screen, tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";
import { onlyConnection } from "./_only_connection.ts";

export interface PullCommandOptions extends GlobalOptions {
  readonly kinds?: string;
  readonly match?: string;
  readonly baseline?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function pull(runtime: Runtime, globals: PullCommandOptions): Promise<number> {
  const { type, kinds, match, baseline = false, dryRun = false, yes = false } = globals;
  if (type !== "search") {
    throw new UsageError("Cannot pull from SQL databases: expected '-m search'");
  }
  if (baseline && dryRun) throw new UsageError("Expected --baseline or --dry-run, found both");
  const connection = await onlyConnection(runtime, type, globals);
  using context = await commandContext(runtime, { ...globals, connection });
  const { screen, options } = context;
  const report = await pullMigrations(type, {
    baseline,
    dryRun,
    replace: yes,
    ...(kinds !== undefined && { kinds: kinds.split(",").map((kind) => kind.trim()) }),
    ...(match !== undefined && { match }),
  }, { ...options, connection });
  if (report === undefined) throw new UsageError(`The connection '${connection}' is not enabled`);
  show(screen, report);
  printJson(runtime, globals, documentOf(report));
  return report.refused === undefined ? EXIT.done : EXIT.usage;
}

const COLORS = {
  written: "green",
  new: "green",
  unchanged: "dim",
  differs: "yellow",
  elsewhere: "dim",
} as const;

function show(screen: Screen, report: PullReport): void {
  const { connection, files, leftOut, problems, recorded, left, refused } = report;
  for (const problem of problems) {
    tellProblem(screen, { ...problem, severity: "warning" }, connection);
  }
  for (const { kinds, reason } of leftOut) {
    tell(screen, "notice", `${connection}: left out ${kinds.join(", ")}: ${printable(reason)}`);
  }
  const of = (wanted: PullResult["state"]) => files.filter(({ state }) => state === wanted).length;
  const facts = (["written", "new", "unchanged", "differs", "elsewhere"] as const)
    .flatMap((state) => of(state) > 0 ? [`${of(state)} ${state}`] : []);
  screen.write(`${connection}: ${facts.join(", ") || "nothing to pull"}\n`);
  for (const file of files) screen.write(`  ${lineOf(file, screen)}\n`);
  if (refused === "differing files") refuseFiles(screen, of("differs"));
  showPlaceholders(screen, report);
  if (recorded.length > 0) {
    screen.write(`${connection}: ${recorded.length} recorded without applying\n`);
  }
  for (const path of left) {
    const reason = "its secret was changed since it was applied: 'migrate' sends an edited file, " +
      "and after 'resolve <file> --retry' another value";
    tell(screen, "notice", `${connection}: ${printable(path)} is not recorded: ${reason}`);
  }
}

function lineOf({ path, resource, state, madeBy }: PullResult, { colors }: Screen): string {
  const beside = madeBy === undefined
    ? resource
    : `${resource} is in ${madeBy.path}${madeBy.isSame ? "" : ", which has other content"}`;
  const name = madeBy === undefined ? `${printable(path)}  ` : "";
  return `${colors[COLORS[state]](state.padEnd(9))}  ${name}${
    colors.dim(`(${printable(beside)})`)
  }`;
}

function showPlaceholders(screen: Screen, { connection, placeholders, refused }: PullReport): void {
  const missing = placeholders.filter(({ isDeclared }) => !isDeclared);
  if (missing.length === 0) return;
  const lines = missing.map(({ name, of }) => `    ${name}: "\${${name}}"  # ${printable(of)}`);
  const text = `of the connection ${quoted([connection])}, before anything is applied:\n\n` +
    `migrations:\n  placeholders:\n${lines.join("\n")}`;
  if (refused === "undeclared placeholders") {
    tell(screen, "error", `Nothing was written or recorded: declare the secrets ${text}`);
  } else screen.write(`\n${screen.colors.bold("Declare the secrets")} ${text}\n`);
}

function documentOf(
  { connection, files, leftOut, placeholders, recorded, left, refused }: PullReport,
) {
  return {
    connection,
    files: files.map(({ path, resource, state, madeBy }) => {
      return { file: path, resource, state, ...(madeBy && { madeBy }) };
    }),
    leftOut,
    placeholders,
    recorded,
    left,
    ...(refused !== undefined && { error: `Nothing was written: ${refused}` }),
  };
}
