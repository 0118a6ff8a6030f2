import type { Runtime } from "../runtime/mod.ts";
import { argumentError, type Arguments, asksForVersion, readArguments } from "./arguments.ts";
import type { Context, Feature } from "./command.ts";
import { contextOf } from "./context.ts";
import { ArgumentError, StopError } from "./errors.ts";
import { programOf } from "./program.ts";
import { colorsFor } from "./screen.ts";

export async function main(runtime: Runtime, features: readonly Feature[]): Promise<number> {
  const program = programOf(features);
  if (await asksForVersion(runtime.args, program)) return await printVersion(runtime);
  const args = await readArguments(runtime.args, program);
  const context = contextOf(runtime, args, program);
  try {
    return await run(context, args);
  } catch (error) {
    return await report(context, error);
  }
}

async function run(
  context: Context,
  { command, isNamed, options, globals, problem }: Arguments,
): Promise<number> {
  if (globals.help && command) {
    const { printHelp } = await import("./help.ts");
    return await printHelp(context, isNamed ? command.name : undefined);
  }
  if (problem || !command) throw await argumentError(problem!);
  if (globals.json && context.reporter) {
    throw new ArgumentError(`expected '--json' or '--${context.reporter.option}', found both`);
  }
  if (!command.isReading) return await command.run(context, options);
  return await untilSignal(context.runtime, (runtime) => {
    return command.run({ ...context, runtime }, options);
  });
}

/** Leaves work behind that is not done when a signal comes. @throws {StopError} */
async function untilSignal(
  runtime: Runtime,
  work: (runtime: Runtime) => Promise<number>,
): Promise<number> {
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

async function printVersion(runtime: Runtime): Promise<number> {
  const { VERSION } = await import("./version.ts");
  runtime.stdout.write(`${VERSION}\n`);
  return 0;
}

async function described(error: Error): Promise<string> {
  if (error.name !== "MigrationFailedError") return error.message;
  const { describeError } = await import("./reporter.ts");
  return describeError(error);
}

async function report(context: Context, error: unknown): Promise<number> {
  const { runtime, globals, reporter } = context;
  const { exitCodeOf } = await import("./exit_code_of.ts");
  const code = error instanceof Error ? exitCodeOf(error) : 1;
  const expected = code !== 1 && error instanceof Error;
  const text = expected
    ? await described(error)
    : error instanceof Error
    ? error.stack
    : String(error);
  const hint = error instanceof ArgumentError ? "(run with --help for commands and options)\n" : "";
  const { red } = colorsFor(runtime, runtime.stderr);
  const written = `${red("error:")} ${text}\n${hint}`;
  runtime.stderr.write(reporter?.shown(written) ?? written);
  context.printJson({ error: expected ? text : String(error) });
  if (reporter && !globals.json) {
    const { failureFindings } = await import("./findings.ts");
    const findings = await failureFindings(runtime, globals, error);
    await reporter.print(context, { findings, sections: [] });
  }
  return code;
}
