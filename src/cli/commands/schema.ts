import { checkSchemas, type ComparedSchema, currentSchemas } from "../../features/schema/checks.ts";
import type { Finding } from "../../migrations/commands.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { count } from "../report.ts";
import type { GlobalOptions } from "../types.ts";
import { type CommandContext, commandContext, printConnections, printFormat } from "./_context.ts";

interface SchemaOptions {
  readonly check?: boolean;
  readonly url?: string;
}

export async function schema(
  runtime: Runtime,
  globals: GlobalOptions & SchemaOptions,
): Promise<number> {
  if (globals.type !== "sql") {
    throw new UsageError("Only SQL databases have a schema file: expected '-m sql'");
  }
  for (const name of ["url", "format"] as const) {
    if (globals[name] === undefined || globals.check) continue;
    throw new UsageError(`'--${name}' requires '--check'`);
  }
  using context = await commandContext(runtime, globals);
  return globals.check
    ? await check(runtime, globals, context)
    : await print(runtime, globals, context);
}

async function print(
  runtime: Runtime,
  globals: GlobalOptions,
  context: CommandContext,
): Promise<number> {
  const { screen } = context;
  const findings = await currentSchemas(context.options);
  if (findings.length > 1 && !globals.json) {
    const names = findings.map(({ connection }) => `'${connection}'`).join(", ");
    throw new UsageError(`Cannot print several schemas: set '--connection' to one of ${names}`);
  }
  for (const { found } of findings) screen.write(found);
  const documents = findings.map(({ connection, found }) => ({ connection, schema: found }));
  printConnections(runtime, globals, context, documents);
  return EXIT.done;
}

async function check(
  runtime: Runtime,
  globals: GlobalOptions & SchemaOptions,
  context: CommandContext,
): Promise<number> {
  const { colors } = context.screen;
  const findings = await checkSchemas(globals.url, context.options);
  return reportDifferences(runtime, globals, context, findings, ({ path, files, differences }) => {
    if (path === undefined) return colors.yellow(NO_FILE);
    const gives = `${count(files, "file")} ${files === 1 ? "gives" : "give"}`;
    return differences.length === 0
      ? colors.green(`${gives} the schema of '${path}'`)
      : colors.red(`${gives} another schema than '${path}'`);
  });
}

const NO_FILE = "nothing to compare with: 'migrations.schema_file' is not set";

export async function reportDifferences(
  runtime: Runtime,
  globals: GlobalOptions,
  context: CommandContext,
  findings: readonly Finding<ComparedSchema>[],
  resultOf: (found: ComparedSchema) => string,
): Promise<number> {
  const { screen } = context;
  for (const { connection, found } of findings) {
    screen.write(`${connection}: ${resultOf(found)}\n`, connection);
    for (const line of found.differences) screen.write(`${paint(line, screen.colors)}\n`);
  }
  const documents = findings.map(({ connection, found }) => ({ connection, ...found }));
  const failed = printConnections(runtime, globals, context, documents);
  await printFormat(runtime, globals, context, async (places) => {
    return (await import("../formats/differences.ts")).schemaFindings(places, findings);
  });
  const differs = findings.some(({ found }) => found.differences.length > 0);
  return failed ?? (differs ? EXIT.differs : EXIT.done);
}

function paint(line: string, colors: CommandContext["screen"]["colors"]): string {
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("-")) return colors.red(line);
  return line.startsWith("+") ? colors.green(line) : line;
}
