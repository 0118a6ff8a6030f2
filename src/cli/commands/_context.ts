import { loadConfig } from "../../config/load.ts";
import { type CommandOptions, listKey } from "../../migrations/commands.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { reporter } from "../report.ts";
import { createScreen, type Screen } from "../screen.ts";
import { type Stop, stopOnSignal } from "../stop.ts";
import type { GlobalOptions } from "../types.ts";

export interface CommandContext extends Disposable {
  readonly screen: Screen;
  readonly stop: Stop;
  readonly options: CommandOptions;
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
  return {
    screen,
    stop,
    options: {
      config,
      runtime,
      sqlPath,
      signal: stop.signal,
      onEvent: (event) => {
        stop.onEvent(event);
        report(event);
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
