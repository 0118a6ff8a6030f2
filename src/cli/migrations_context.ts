import { loadConfig } from "../config/load.ts";
import { type CommandOptions, listKey, nothingToDo } from "../migrations/commands.ts";
import type { RunEvent } from "../migrations/runner/mod.ts";
import type { Context, Migrations } from "./command.ts";
import { exitCodeOf, exitCodeOfAll } from "./exit_code_of.ts";
import { EXIT } from "./exit_codes.ts";
import type { Failure, Notice } from "./findings.ts";
import type { Globals } from "./globals.ts";
import { describeError, reporter } from "./reporter.ts";
import { tell } from "./screen.ts";
import { stopOnSignal } from "./stop.ts";

export async function openMigrations(
  context: Context,
  more: Partial<CommandOptions>,
): Promise<Migrations> {
  const { runtime, globals, screen, program: { features } } = context;
  const { type, sqlPath, connection } = globals;
  const config = await loadConfig({ runtime, directory: globals.config, only: [listKey(type)] });
  const stop = stopOnSignal(runtime, screen);
  const report = reporter(screen, globals);
  const notices: Notice[] = [];
  const failures: Failure[] = [];
  const tellError = (error: Error) => tell(screen, "error", describeError(error));
  const onEvent = (event: RunEvent) => {
    stop.onEvent(event);
    report(event);
    if (event.type === "notice") notices.push(event);
  };
  const own = { config, runtime, features, sqlPath, connection, signal: stop.signal, onEvent };
  const options = { ...own, ...timesOf(globals), ...more };
  return {
    context,
    stopCode: stop.exitCode,
    options,
    fail(error, connection) {
      if (exitCodeOf(error) === EXIT.unexpected) throw error;
      failures.push({ connection, error });
    },
    tellError,
    codeOf: exitCodeOfAll,
    print(connections) {
      const failed = failures.map(({ connection, error }) => ({
        connection,
        error: error.message,
      }));
      const all = [...connections, ...failed];
      if (all.length === 0) screen.write(`${nothingToDo(type, config)}\n`);
      for (const { error } of failures) tellError(error);
      context.printJson({ connections: all });
      return exitCodeOfAll(failures.map(({ error }) => error));
    },
    async report(find) {
      if (!context.reporter) return;
      const module = await import("./findings.ts");
      const places = new module.Places(globals, config);
      const own = find(places, module);
      const others = module.otherFindings(places, failures, notices);
      await context.reporter.print(context, [...own, ...others], screen.sections);
    },
    async inDatabase(work) {
      const { withDatabase } = await import("../migrations/queries.ts");
      return await withDatabase(options, work);
    },
    [Symbol.dispose]: () => stop[Symbol.dispose](),
  };
}

function timesOf({ lockTimeout, wait }: Globals) {
  return { lockTimeoutMs: lockTimeout && lockTimeout * 1000, waitMs: wait && wait * 1000 };
}
