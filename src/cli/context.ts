import type { Runtime } from "../runtime/mod.ts";
import type { Arguments } from "./arguments.ts";
import type { Context, Program } from "./command.ts";
import { createScreen } from "./screen.ts";

/** What a command is given; what takes time to load is loaded when it is asked for. */
export function contextOf(
  runtime: Runtime,
  { command, globals, options, operands, additions }: Arguments,
  program: Program,
): Context {
  const { json } = globals;
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
    async migrations(more, type = globals.type) {
      const added = additions.map((addition) => addition.migrations?.(options));
      const { openMigrations } = await import("./migrations_context.ts");
      return await openMigrations(this, type, Object.assign({}, ...added, more));
    },
    async updateFile(...file) {
      return await (await import("./generated_file.ts")).updateFile(runtime, ...file);
    },
  };
}
