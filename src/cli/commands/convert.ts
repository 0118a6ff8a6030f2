import {
  ClusterChoiceError,
  NoManifestError,
  type Password,
  prepareConversion,
  type PreparedConversion,
  UnwritableError,
  writeConversion,
} from "../../features/convert/convert_files.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { join } from "../../runtime/path.ts";
import { printable, quoted } from "../../text/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { refuseFiles, tellProblem } from "../report.ts";
import { createScreen, type Screen, tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { printJson } from "./_context.ts";
import { onlyConnection } from "./_only_connection.ts";

export interface ConvertCommandOptions extends GlobalOptions {
  readonly out?: string;
  readonly cluster?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function convert(
  runtime: Runtime,
  options: ConvertCommandOptions,
  paths: readonly string[],
): Promise<number> {
  const { dryRun = false, yes = false, cluster } = options;
  const folder = await folderOf(runtime, options);
  const conversion = await orUsage(() => prepareConversion(paths, { runtime, folder, cluster }));
  const { files } = conversion;
  const screen = createScreen(runtime, options);
  const differing = files.filter(({ state }) => state === "differs");
  const isRefused = differing.length > 0 && !yes && !dryRun;
  const isWritten = !isRefused && !dryRun;
  if (isWritten) await orUsage(() => writeConversion(conversion, runtime));
  showNotices(screen, conversion);
  for (const { location, text, state } of files) {
    if (isRefused && state !== "differs") continue;
    const word = isWritten && state !== "unchanged" ? "written" : state;
    const shown = screen.colors[COLORS[word]](word.padEnd(9));
    screen.write(`${shown}  ${printable(location)}\n`);
    if (dryRun && state !== "unchanged") screen.write(text);
  }
  if (isRefused) refuseFiles(screen, differing.length);
  else if (files.length === 0) {
    screen.write("Nothing to write: no resource configures a cluster\n");
  } else showPasswords(screen, conversion.passwords);
  printJson(runtime, options, documentOf(conversion, { dryRun, isWritten, isRefused }));
  return isRefused ? EXIT.usage : EXIT.done;
}

/** Reads the configuration only if neither the folder nor the connection is named. */
async function folderOf(
  runtime: Runtime,
  options: ConvertCommandOptions,
): Promise<string> {
  const { out, connection, sqlPath } = options;
  if (out !== undefined) {
    if (connection === undefined) return out;
    throw new UsageError("Expected one of '--out' and '--connection', found both");
  }
  if (connection !== undefined && /[\\/]|^\.*$/.test(connection)) {
    throw new UsageError(`Expected the name of a connection, found '${connection}'`);
  }
  return join(sqlPath, connection ?? await onlyConnection(runtime, "search", options));
}

async function orUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUsage = error instanceof ClusterChoiceError || error instanceof NoManifestError ||
      error instanceof UnwritableError;
    throw isUsage ? new UsageError(error.message, { cause: error }) : error;
  }
}

const COLORS = { written: "green", new: "green", unchanged: "dim", differs: "yellow" } as const;

function showNotices(
  screen: Screen,
  { warnings, skipped, mappedRoles }: PreparedConversion,
): void {
  for (const problem of warnings) tellProblem(screen, problem);
  for (const title of skipped) {
    tell(screen, "notice", `${printable(title)}: skipped, it makes no file`);
  }
  if (mappedRoles.length === 0) return;
  const replaced =
    "A file replaces the whole mapping of a role, while the operator only added to it";
  tell(screen, "notice", `${replaced}: see 'plan -m search' for what the cluster has besides`);
  if (!mappedRoles.includes("all_access")) return;
  const removed = "The mapping of 'all_access' removes the administrators that it does not name";
  tell(screen, "warning", `${removed}; only an admin certificate can restore them`);
}

function showPasswords(screen: Screen, passwords: readonly Password[]): void {
  if (passwords.length === 0) return;
  const { bold, dim } = screen.colors;
  screen.write(
    `\n${bold("Declare the passwords on the connection, before anything is applied:")}\n\n` +
      "migrations:\n  placeholders:\n",
  );
  for (const { placeholder, secret, key, namespace } of passwords) {
    const place = namespace === undefined ? "" : ` in namespace ${quoted([namespace])}`;
    const from = dim(printable(`# key ${quoted([key])} of the Secret ${quoted([secret])}${place}`));
    screen.write(`    ${placeholder}: "\${${placeholder}}"  ${from}\n`);
  }
}

function documentOf(
  { files, passwords, skipped, warnings }: PreparedConversion,
  { dryRun, isWritten, isRefused }: Readonly<
    Record<"dryRun" | "isWritten" | "isRefused", boolean>
  >,
): unknown {
  return {
    files: files.map(({ location, text, state }) => ({
      file: location,
      state: isWritten && state !== "unchanged" ? "written" : state,
      ...(dryRun && { content: JSON.parse(text) }),
    })),
    passwords,
    skipped,
    ...(isRefused && { error: "Nothing was written: differing files" }),
    warnings: warnings.map((problem) => {
      const { path, line, column, message } = problem;
      return { path, line, column, message };
    }),
  };
}
