import type { CommandOptions } from "../migrations/commands.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { Arguments } from "./arguments.ts";
import type { Reporter } from "./command.ts";
import { UsageError } from "./errors.ts";
import type { Update } from "./generated_file.ts";
import type { Program } from "./program.ts";
import { createScreen } from "./screen.ts";

export type Context = ReturnType<typeof contextOf>;

/** What a command is given; what takes time to load is loaded when it is asked for. */
export function contextOf(
  runtime: Runtime,
  { command, globals, options, operands, additions }: Arguments,
  program: Program,
) {
  const { json, connection } = globals;
  const reporter: Reporter | undefined = additions.map((addition) => addition.reporter?.(options))
    .find((one) => one !== undefined);
  return {
    runtime,
    /** Its name, unless there is none. */
    command: command?.name,
    globals,
    operands,
    program,
    reporter,
    screen: createScreen(runtime, json, reporter),
    /** For `--json`. */
    printJson(document: unknown): void {
      if (json) runtime.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    },
    /** @throws {UsageError} unless one connection is selected, or there is only one */
    async onlyConnection(type = globals.type): Promise<string> {
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
    /** What commands of migrations need. Reads the configuration. */
    async migrations(more?: Partial<CommandOptions>) {
      const added = additions.map((addition) => addition.migrations?.(options));
      const { openMigrations } = await import("./migrations_context.ts");
      return await openMigrations(this, Object.assign({}, ...added, more));
    },
    /** Writes a generated file. */
    async updateFile(path: string, text: string, how: Update) {
      return await (await import("./generated_file.ts")).updateFile(runtime, path, text, how);
    },
  };
}
