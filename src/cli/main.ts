import type { Runtime } from "../runtime/mod.ts";
import { type Arguments, asksForVersion, readArguments } from "./arguments.ts";
import type { Context, Feature, Program } from "./command.ts";
import { ArgumentError, StopError } from "./errors.ts";
import { EXIT } from "./exit_codes.ts";
import { programOf } from "./program.ts";
import { colorsFor, createScreen, print } from "./screen.ts";

export async function main(runtime: Runtime, features: readonly Feature[]): Promise<number> {
  const program = programOf(features);
  if (await asksForVersion(runtime.args, program)) {
    const { VERSION } = await import("./version.ts");
    runtime.stdout.write(`${VERSION}\n`);
    return EXIT.done;
  }
  const args = await readArguments(runtime.args, program);
  const context = contextOf(runtime, args, program);
  try {
    return await run(context, args) ?? EXIT.done;
  } catch (error) {
    return await report(context, error);
  }
}

/** The context of a command; slow parts are loaded when they are first used. */
function contextOf(
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
      const all = program.additions();
      const { openMigrations } = await import("./migrations_context.ts");
      const added = (await all).map((addition) => addition.migrations?.(options, this));
      return await openMigrations(this, type, Object.assign({}, ...added, more));
    },
    async updateFile(...file) {
      return await (await import("./generated_file.ts")).updateFile(runtime, ...file);
    },
  };
}

async function run(
  context: Context,
  { command, isNamed, options, globals, problem }: Arguments,
): Promise<number | void> {
  if (globals.help && command) {
    const { printHelp } = await import("./help.ts");
    return await printHelp(context, isNamed ? command.name : undefined);
  }
  if (problem !== undefined || !command) throw new ArgumentError(problem!);
  if (globals.json && context.reporter) {
    throw new ArgumentError(`expected '--json' or '--${context.reporter.option}', found both`);
  }
  if (!command.isReading) return await command.run(context, options);
  return await untilSignal(context.runtime, (runtime) => {
    return command.run({ ...context, runtime }, options);
  });
}

/** Leaves work behind that is not done when a signal comes. @throws {StopError} */
async function untilSignal<T>(runtime: Runtime, work: (runtime: Runtime) => Promise<T>) {
  const stopped = Promise.withResolvers<never>();
  const onTermination: Runtime["onTermination"] = (listener) =>
    runtime.onTermination((signal) => {
      listener(signal);
      stopped.reject(new StopError(signal));
    });
  // A copy would read the host's name, which needs a permission on Deno.
  const observed = Object.assign(Object.create(runtime) as Runtime, { onTermination });
  return await Promise.race([work(observed), stopped.promise]);
}

async function report(context: Context, error: unknown): Promise<number> {
  const { runtime, globals, reporter } = context;
  const { exitCodeOf } = await import("./exit_code_of.ts");
  const code = error instanceof Error ? exitCodeOf(error) : EXIT.unexpected;
  const known = code !== EXIT.unexpected && error instanceof Error
    ? await described(error)
    : undefined;
  const text = known ?? (error instanceof Error ? error.stack : String(error));
  const hint = error instanceof ArgumentError ? "(run with --help for commands and options)\n" : "";
  const { red } = colorsFor(runtime, runtime.stderr);
  const written = `${red("error:")} ${text}\n${hint}`;
  print(runtime.stderr, reporter?.shown(written) ?? written);
  context.printJson({ error: known ?? String(error) });
  if (reporter && !globals.json) {
    const { failureFindings } = await import("./findings.ts");
    const { features } = context.program;
    await reporter.print(context, await failureFindings(runtime, globals, features, error), []);
  }
  return code;
}

async function described(error: Error): Promise<string> {
  if (error.name !== "MigrationFailedError") return error.message;
  return (await import("./reporter.ts")).describeError(error);
}
