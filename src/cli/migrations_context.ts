import { loadConfig } from "../config/load.ts";
import {
  type CommandOptions,
  listKey,
  type MigrationType,
  nothingToDo,
  targetsOf,
} from "../migrations/commands.ts";
import type { RunEvent } from "../migrations/runner/mod.ts";
import type { Context, Migrations } from "./command.ts";
import { UsageError } from "./errors.ts";
import { exitCodeOf, exitCodeOfAll } from "./exit_code_of.ts";
import { EXIT } from "./exit_codes.ts";
import { describeError, reporter } from "./reporter.ts";
import { tell } from "./screen.ts";
import { stopOnSignal } from "./stop.ts";

export async function openMigrations(
  context: Context,
  type: MigrationType,
  more: Partial<CommandOptions>,
): Promise<Migrations> {
  const { runtime, globals, screen } = context;
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
  const { features } = context.program;
  const { sqlPath, connection, lockTimeout, wait } = globals;
  const options = {
    ...{ config, runtime, features, signal: stop.signal, onEvent, sqlPath, connection },
    lockTimeoutMs: lockTimeout && lockTimeout * 1000,
    waitMs: wait && wait * 1000,
    ...more,
  };
  const onlyTarget = async () => {
    const targets = await targetsOf(type, options);
    if (targets.length === 1) return targets[0]!;
    const names = targets.map(({ connection }) => `'${connection}'`).join(", ");
    const found = names || "none is enabled";
    throw new UsageError(`Expected '--connection' to select one connection: ${found}`);
  };
  return {
    context,
    stop,
    options,
    onlyTarget,
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
      return await withDatabase(await onlyTarget(), options.signal, work);
    },
    [Symbol.dispose]: () => stop[Symbol.dispose](),
  };
}

type Notice = RunEvent & { readonly type: "notice" };
