import { loadConfig } from "../config/load.ts";
import {
  type CommandOptions,
  listKey,
  type MigrationType,
  nothingToDo,
  targetsOf,
} from "../migrations/commands.ts";
import type { RunEvent, Target } from "../migrations/runner/mod.ts";
import { quoted } from "../text/mod.ts";
import type { Context, Migrations } from "./command.ts";
import { UsageError } from "./errors.ts";
import { exitCodeOf, exitCodeOfAll } from "./exit_code_of.ts";
import { EXIT } from "./exit_codes.ts";
import type { Globals } from "./globals.ts";
import { describeError, reporter } from "./reporter.ts";
import { tell } from "./screen.ts";
import { stopOnSignal } from "./stop.ts";

export async function openMigrations(
  context: Context,
  type: MigrationType,
  more: Partial<CommandOptions>,
): Promise<Migrations> {
  const { runtime, globals, screen, program: { features } } = context;
  const only = [listKey(type)];
  const config = await loadConfig({ runtime, directory: globals.config, only });
  const stop = stopOnSignal(runtime, screen);
  const report = reporter(screen, globals);
  const notices: Notice[] = [];
  const failures: { readonly connection: string; readonly error: Error }[] = [];
  const tellError = (error: Error) => tell(screen, "error", describeError(error));
  const onEvent = (event: RunEvent) => {
    stop.onEvent(event);
    report(event);
    if (event.type === "notice") notices.push(event);
  };
  const own = { config, runtime, features, signal: stop.signal, onEvent };
  const options = { ...own, ...optionsOf(globals), ...more };
  return {
    context,
    stop,
    options,
    onlyTarget: () => onlyTarget(type, options),
    fail(error, connection) {
      if (exitCodeOf(error) === EXIT.unexpected) throw error;
      failures.push({ connection, error });
    },
    tellError,
    codeOf: exitCodeOfAll,
    print(connections) {
      if (connections.length + failures.length === 0) {
        screen.write(`${nothingToDo(type, config)}\n`);
      }
      for (const { error } of failures) tellError(error);
      const failed = failures.map(({ connection, error: { message } }) => {
        return { connection, error: message };
      });
      context.printJson({ connections: [...connections, ...failed] });
      return exitCodeOfAll(failures.map(({ error }) => error));
    },
    async report(find) {
      if (!context.reporter) return;
      const { errorFindings, noticeFindings, Places } = await import("./findings.ts");
      const places = new Places(globals, config);
      const findings = [
        ...await find(places),
        ...failures.flatMap(({ error, connection }) => errorFindings(places, error, connection)),
        ...notices.flatMap((notice) => noticeFindings(places, notice.connection, [notice])),
      ];
      await context.reporter.print(context, { findings, sections: screen.sections });
    },
    async inDatabase(work) {
      const { withDatabase } = await import("../migrations/queries.ts");
      return await withDatabase(await onlyTarget(type, options), options.signal, work);
    },
    [Symbol.dispose]: () => stop[Symbol.dispose](),
  };
}

type Notice = RunEvent & { readonly type: "notice" };

async function onlyTarget(type: MigrationType, options: CommandOptions): Promise<Target> {
  const targets = await targetsOf(type, options);
  if (targets.length === 1) return targets[0]!;
  const found = quoted(targets.map(({ connection }) => connection), "none is enabled");
  throw new UsageError(`Expected '--connection' to select one connection: ${found}`);
}

function optionsOf({ sqlPath, connection, lockTimeout, wait }: Globals) {
  const [lockTimeoutMs, waitMs] = [lockTimeout, wait].map((seconds) => seconds && seconds * 1000);
  return { sqlPath, connection, lockTimeoutMs, waitMs };
}
