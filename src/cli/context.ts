import type { Runtime } from "../runtime/mod.ts";
import type { Arguments } from "./arguments.ts";
import type { Context, Program } from "./command.ts";
import { UsageError } from "./errors.ts";
import { createScreen } from "./screen.ts";

/** What a command is given; what takes time to load is loaded when it is asked for. */
export function contextOf(
  runtime: Runtime,
  { command, globals, options, operands, additions }: Arguments,
  program: Program,
): Context {
  const { json, connection } = globals;
  const reporter = additions.map((addition) => addition.reporter?.(options))
    .find((one) => one !== undefined);
  return {
    runtime,
    command: command?.name,
    globals,
    operands,
    program,
    reporter,
    screen: createScreen(runtime, json, reporter),
    printJson(document) {
      if (json) runtime.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    },
    async onlyConnection(type = globals.type) {
      const { loadConfig } = await import("../config/load.ts");
      const { listKey, targetsOf } = await import("../migrations/commands.ts");
      const only = [listKey(type)];
      const config = await loadConfig({ runtime, directory: globals.config, only });
      const { features } = program;
      const targets = await targetsOf(type, { config, runtime, features, connection });
      const [target] = targets;
      if (target !== undefined && targets.length === 1) return target.connection;
      const names = targets.map(({ connection }) => `'${connection}'`).join(", ");
      const found = names || "none is enabled";
      throw new UsageError(`Expected '--connection' to select one connection: ${found}`);
    },
    async migrations(more) {
      const added = additions.map((addition) => addition.migrations?.(options));
      const { openMigrations } = await import("./migrations_context.ts");
      return await openMigrations(this, Object.assign({}, ...added, more));
    },
    async updateFile(...file) {
      return await (await import("./generated_file.ts")).updateFile(runtime, ...file);
    },
  };
}
