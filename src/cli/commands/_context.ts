import { loadConfig } from "../../config/load.ts";
import { MIGRATION_FEATURES } from "../../features/migrations.ts";
import { type CommandOptions, listKey, nothingToDo } from "../../migrations/commands.ts";
import type { RunEvent } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { exitCodeOf, exitCodeOfAll } from "../exit_code_of.ts";
import { EXIT } from "../exit_codes.ts";
import type { Places } from "../formats/files.ts";
import type { Finding } from "../formats/finding.ts";
import { describeError, reporter } from "../report.ts";
import { createScreen, type Screen, tell } from "../screen.ts";
import { type Stop, stopOnSignal } from "../stop.ts";
import type { GlobalOptions } from "../types.ts";

export { MIGRATION_FEATURES };

export interface CommandContext extends Disposable {
  readonly screen: Screen;
  readonly stop: Stop;
  readonly options: CommandOptions;
  readonly notices: readonly (RunEvent & { readonly type: "notice" })[];
  readonly failures: readonly Failure[];
  /** For `onFailure`: the command goes on. @throws the error if it is a defect */
  fail(error: Error, connection: string): void;
}

interface Failure {
  readonly connection: string;
  readonly error: Error;
}

export async function commandContext(
  runtime: Runtime,
  options: GlobalOptions,
): Promise<CommandContext> {
  const { config: directory, sqlPath, type, connection, lockTimeout, wait, noWait, yes } = options;
  const only = options.only?.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (only?.length === 0) {
    throw new UsageError("Expected names of tenants after '--only', found none");
  }
  const config = await loadConfig({ runtime, directory, only: [listKey(type)] });
  const screen = createScreen(runtime, options);
  const stop = stopOnSignal(runtime, screen);
  const report = reporter(screen, options);
  const notices: (RunEvent & { readonly type: "notice" })[] = [];
  const failures: Failure[] = [];
  return {
    screen,
    stop,
    notices,
    failures,
    fail(error, connection) {
      if (exitCodeOf(error) === EXIT.unexpected) throw error;
      failures.push({ connection, error });
    },
    options: {
      config,
      runtime,
      features: MIGRATION_FEATURES,
      sqlPath,
      signal: stop.signal,
      onEvent: (event) => {
        stop.onEvent(event);
        report(event);
        if (event.type === "notice") notices.push(event);
      },
      ...(connection !== undefined && { connection }),
      ...(only && { only }),
      ...(lockTimeout !== undefined && { lockTimeoutMs: lockTimeout * 1000 }),
      ...(wait !== undefined && { waitMs: wait * 1000 }),
      ...(noWait && { followTasks: false }),
      ...(yes && { yes }),
    },
    [Symbol.dispose]: () => stop[Symbol.dispose](),
  };
}

export function printJson(
  runtime: Runtime,
  { json }: Pick<GlobalOptions, "json">,
  document: unknown,
): void {
  if (json) runtime.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** What was found for each connection as JSON, and the failures of the others. @returns the exit code of the failures */
export function printConnections(
  runtime: Runtime,
  globals: GlobalOptions,
  { screen, options: { config }, failures }: CommandContext,
  connections: readonly object[],
): number | undefined {
  if (connections.length + failures.length === 0) {
    screen.write(`${nothingToDo(globals.type, config)}\n`);
  }
  for (const { error } of failures) tell(screen, "error", describeError(error));
  const failed = failures.map(({ connection, error }) => ({ connection, error: error.message }));
  printJson(runtime, globals, { connections: [...connections, ...failed] });
  return exitCodeOfAll(failures.map(({ error }) => error));
}

/** For `--format`: what finds and prints is loaded on demand. */
export async function printFormat(
  runtime: Runtime,
  globals: GlobalOptions,
  { screen: { sections }, options: { config }, notices, failures }: CommandContext,
  find: (places: Places) => Promise<readonly Finding[]>,
): Promise<void> {
  if (!globals.format) return;
  const { noticeFindings, Places } = await import("../formats/files.ts");
  const { errorFindings } = await import("../formats/errors.ts");
  const { printReport } = await import("../formats/print.ts");
  const places = new Places(globals, config);
  const findings = [
    ...await find(places),
    ...failures.flatMap(({ error, connection }) => errorFindings(places, error, connection)),
    ...notices.flatMap((notice) => noticeFindings(places, notice.connection, [notice])),
  ];
  await printReport(runtime, globals, { findings, sections });
}
