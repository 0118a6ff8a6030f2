import type { Runtime } from "../runtime/mod.ts";
import { type ArgumentProblem, readArguments, unknownCommand } from "./arguments.ts";
import { ArgumentError, StopError } from "./errors.ts";
import { type CommandName, COMMANDS } from "./program.ts";
import { colorsFor, withoutCommands } from "./screen.ts";
import type { GlobalOptions } from "./types.ts";

export async function main(runtime: Runtime): Promise<number> {
  const { command, isNamed, options, operands, problem } = readArguments(runtime.args);
  const globals = { ...options, command: command?.name } as unknown as GlobalOptions;
  try {
    if (options.version) return await printVersion(runtime);
    if (options.help && command) {
      return await printHelp(runtime, isNamed ? command.name : undefined);
    }
    if (problem || !command) throw await argumentError(problem!);
    if (options.json && options.format) {
      throw new ArgumentError("expected '--json' or '--format', found both");
    }
    const run = await COMMAND[command.name]();
    if (!READING.has(command.name)) return await run(runtime, globals, operands);
    return await untilSignal(runtime, (observed) => run(observed, globals, operands));
  } catch (error) {
    return await report(runtime, error, globals);
  }
}

/** They change nothing that a signal could leave half done. */
const READING: ReadonlySet<CommandName> = new Set(
  ["status", "plan", "validate", "schema", "types", "drift"] as const,
);

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

type Run = (
  runtime: Runtime,
  options: GlobalOptions,
  operands: readonly string[],
) => Promise<number>;

/** Loaded on demand: a run loads only its own command. */
const COMMAND: Readonly<Record<CommandName, () => Promise<Run>>> = {
  migrate: async () => (await import("./commands/migrate.ts")).migrate,
  status: async () => (await import("./commands/status.ts")).status,
  plan: async () => (await import("./commands/plan.ts")).plan,
  validate: async () => (await import("./commands/validate.ts")).validate,
  schema: async () => (await import("./commands/schema.ts")).schema,
  types: async () => (await import("./commands/types.ts")).types,
  drift: async () => (await import("./commands/drift.ts")).drift,
  baseline: async () => (await import("./commands/baseline.ts")).baseline,
  adopt: async () => (await import("./commands/adopt.ts")).adopt,
  convert: async () => (await import("./commands/convert.ts")).convert,
  resolve: async () => (await import("./commands/resolve.ts")).resolve,
  prune: async () => (await import("./commands/prune.ts")).prune,
  pull: async () => (await import("./commands/pull.ts")).pull,
  new: async () => (await import("./commands/new.ts")).create,
  jobs: async () => (await import("./commands/jobs.ts")).jobs,
  scan: async () => (await import("./commands/scan.ts")).scan,
  build: async () => (await import("./commands/build.ts")).build,
  routes: async () => (await import("./commands/routes.ts")).routes,
  openapi: async () => (await import("./commands/openapi.ts")).openapi,
  contract: async () => (await import("./commands/contract.ts")).contract,
  help: () => Promise.resolve((runtime, _options, [name]) => printHelp(runtime, name)),
};

async function printVersion(runtime: Runtime): Promise<number> {
  const { VERSION } = await import("./version.ts");
  runtime.stdout.write(`${VERSION}\n`);
  return 0;
}

async function printHelp(runtime: Runtime, name: string | undefined): Promise<number> {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (name !== undefined && !command) throw await argumentError(unknownCommand(name));
  const { helpOf } = await import("./help.ts");
  const { stdout } = runtime;
  const heading = colorsFor(runtime, stdout).bold;
  stdout.write(helpOf(command, { columns: stdout.columns, heading }));
  return 0;
}

async function argumentError({ message, unknown }: ArgumentProblem): Promise<ArgumentError> {
  if (!unknown) return new ArgumentError(message);
  const { suggestion } = await import("./suggest.ts");
  return new ArgumentError(message + suggestion(unknown.name, unknown.known));
}

async function described(error: Error): Promise<string> {
  if (error.name !== "MigrationFailedError") return error.message;
  const { describeError } = await import("./report.ts");
  return describeError(error);
}

async function report(
  runtime: Runtime,
  error: unknown,
  options: GlobalOptions,
): Promise<number> {
  const { exitCodeOf } = await import("./exit_code_of.ts");
  const { printJson } = await import("./commands/_context.ts");
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
  runtime.stderr.write(options.format ? withoutCommands(written) : written);
  printJson(runtime, options, { error: expected ? text : String(error) });
  if (options.format && !options.json) {
    const { printFailure } = await import("./formats/errors.ts");
    await printFailure(runtime, options, error);
  }
  return code;
}
