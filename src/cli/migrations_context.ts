import { loadConfig } from "../config/load.ts";
import {
  type CommandOptions,
  foldersOf,
  listKey,
  loadEngines,
  type MigrationType,
  nothingToDo,
  partsOf,
  targetsOf,
} from "../migrations/commands.ts";
import type { QueriedDatabase } from "../migrations/queries.ts";
import type { RunEvent, Target } from "../migrations/runner/mod.ts";
import { quoted } from "../text/mod.ts";
import type { Context, MigrationWork } from "./command.ts";
import { UsageError } from "./errors.ts";
import { exitCodeOf, exitCodeOfAll } from "./exit_code_of.ts";
import { EXIT } from "./exit_codes.ts";
import type { Notice } from "./findings.ts";
import type { GlobalOptions } from "./globals.ts";
import { describeError, reporter } from "./reporter.ts";
import { tell } from "./screen.ts";
import { stopOnSignal } from "./stop.ts";

export async function openMigrations(
  context: Context,
  type: MigrationType,
  more: Partial<CommandOptions>,
): Promise<MigrationWork> {
  const { runtime, globals, screen, program, program: { features } } = context;
  const { sqlPath, connection } = globals;
  const [config, additions] = await Promise.all([
    loadConfig({ runtime, directory: globals.config, only: [listKey(type)] }),
    program.additions(),
    loadEngines(type, features),
  ]);
  const stop = stopOnSignal(runtime, screen);
  const report = reporter(screen, globals);
  const notices: Notice[] = [];
  const failures: { readonly connection: string; readonly error: Error }[] = [];
  const tellError = (error: Error) => tell(screen, "error", describeError(error));
  const onEvent = (event: RunEvent) => {
    stop.onEvent(event);
    report(event);
    for (const addition of additions) addition.tell?.(event, screen);
    if (event.type === "notice") notices.push(event);
  };
  const own = { config, runtime, features, sqlPath, connection, signal: stop.signal, onEvent };
  const options = { ...own, ...timesOf(globals), ...more };
  return {
    context,
    stopCode: stop.exitCode,
    options,
    onlyTarget: () => onlyTarget(type, options),
    fail(error, connection) {
      if (exitCodeOf(error) === EXIT.unexpected) throw error;
      failures.push({ connection, error });
    },
    tellError,
    codeOf: exitCodeOfAll,
    print(connections, about) {
      const failed = failures.map((one) => ({ ...one, error: one.error.message }));
      const all = [...connections, ...failed];
      if (all.length === 0) screen.write(`${nothingToDo(type, options)}\n`);
      for (const { error } of failures) tellError(error);
      for (const addition of additions) addition.show?.(all, context);
      context.printJson({ ...about, connections: all });
      return exitCodeOfAll(failures.map(({ error }) => error));
    },
    async report(find) {
      if (!context.reporter) return;
      const module = await import("./findings.ts");
      const places = new module.Places(globals, config, await foldersOf(type, options));
      const findings = [
        ...find(places, module),
        ...failures.flatMap((one) => module.errorFindings(places, one.error, one.connection)),
        ...notices.flatMap((one) => module.noticeFindings(places, one.connection, [one])),
      ];
      await context.reporter.print(context, findings, screen.sections);
    },
    inDatabase: (work) => inDatabase(type, options, work),
    [Symbol.dispose]: () => stop[Symbol.dispose](),
  };
}

async function inDatabase<T>(
  type: MigrationType,
  options: CommandOptions,
  work: (database: QueriedDatabase) => Promise<T>,
): Promise<T> {
  const { withDatabase } = await import("../migrations/queries.ts");
  return await withDatabase(await onlyTarget(type, options), options.signal, work);
}

async function onlyTarget(type: MigrationType, options: CommandOptions): Promise<Target> {
  const all = await targetsOf(type, { ...options, only: undefined });
  const isOne = options.only !== undefined && all.length === 1;
  const parts = isOne ? await partsOf({ target: all[0]!, files: [] }, options) : undefined;
  const targets = parts?.map(({ target }) => target) ?? all;
  if (targets.length === 1) return targets[0]!;
  const found = quoted(targets.map(({ connection }) => connection), "none is enabled");
  throw new UsageError(
    `Expected '${parts ? "--only" : "--connection"}' to select one connection: ${found}`,
  );
}

function timesOf({ lockTimeout, wait }: GlobalOptions) {
  return { lockTimeoutMs: lockTimeout && lockTimeout * 1000, waitMs: wait && wait * 1000 };
}
