import { loadConfig } from "../config/load.ts";
import { type CommandOptions, listKey, nothingToDo } from "../migrations/commands.ts";
import type { QueriedDatabase } from "../migrations/queries.ts";
import type { RunEvent } from "../migrations/runner/mod.ts";
import type { Context } from "./context.ts";
import { exitCodeOf, exitCodeOfAll } from "./exit_code_of.ts";
import { EXIT } from "./exit_codes.ts";
import type { Finding, Places } from "./findings.ts";
import { describeError, reporter } from "./reporter.ts";
import { tell } from "./screen.ts";
import { stopOnSignal } from "./stop.ts";

export type Migrations = Awaited<ReturnType<typeof openMigrations>>;

export async function openMigrations(context: Context, more: Partial<CommandOptions>) {
  const { runtime, globals, screen, program: { features } } = context;
  const { type, sqlPath, connection, lockTimeout, wait } = globals;
  const config = await loadConfig({ runtime, directory: globals.config, only: [listKey(type)] });
  const stop = stopOnSignal(runtime, screen);
  const report = reporter(screen, globals);
  const notices: (RunEvent & { readonly type: "notice" })[] = [];
  const failures: { readonly connection: string; readonly error: Error }[] = [];
  const tellError = (error: Error) => tell(screen, "error", describeError(error));
  const options: CommandOptions = {
    config,
    runtime,
    features,
    signal: stop.signal,
    onEvent(event) {
      stop.onEvent(event);
      report(event);
      if (event.type === "notice") notices.push(event);
    },
    sqlPath,
    connection,
    lockTimeoutMs: lockTimeout && lockTimeout * 1000,
    waitMs: wait && wait * 1000,
    ...more,
  };
  return {
    context,
    stop,
    options,
    /** For `onFailure`: the command goes on. @throws the error if it is a defect */
    fail(error: Error, connection: string): void {
      if (exitCodeOf(error) === EXIT.unexpected) throw error;
      failures.push({ connection, error });
    },
    tellError,
    codeOf: exitCodeOfAll,
    /** What was found for each connection as JSON, and the failures of the others. @returns the exit code of the failures */
    print(connections: readonly object[]): number | undefined {
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
    /** For {@linkcode Reporter}: what finds is loaded on demand. */
    async report(
      find: (places: Places, module: typeof import("./findings.ts")) => readonly Finding[],
    ): Promise<void> {
      if (!context.reporter) return;
      const module = await import("./findings.ts");
      const places = new module.Places(globals, config);
      const findings = [
        ...find(places, module),
        ...failures.flatMap(({ error, connection }) => {
          return module.errorFindings(places, error, connection);
        }),
        ...notices.flatMap((notice) => {
          return module.noticeFindings(places, notice.connection, [notice]);
        }),
      ];
      await context.reporter.print(context, findings, screen.sections);
    },
    /** Of the one connection that the options name. */
    async inDatabase<T>(work: (database: QueriedDatabase) => Promise<T>): Promise<T> {
      const { withDatabase } = await import("../migrations/queries.ts");
      return await withDatabase(options, work);
    },
    [Symbol.dispose]: () => stop[Symbol.dispose](),
  };
}
