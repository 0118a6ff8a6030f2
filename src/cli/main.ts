import { CommanderError } from "commander";
import type { Runtime } from "../runtime/mod.ts";
import { printJson } from "./commands/_context.ts";
import { exitCodeOf } from "./exit_codes.ts";
import { createProgram } from "./program.ts";
import { colorsFor } from "./screen.ts";

/**
 * Runs the command line with the runtime's arguments.
 *
 * @returns the exit code, see `--help`
 */
export async function main(runtime: Runtime): Promise<number> {
  let code = 0;
  const program = createProgram(runtime, (result) => code = result);
  const args = [...runtime.args];
  try {
    if (isWithoutCommand(args, program.parseOptions(args).operands)) args.unshift("migrate");
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return report(runtime, error, program.opts());
  }
}

/** No command means `migrate`, except where help or the version is asked for. */
function isWithoutCommand(args: readonly string[], operands: readonly string[]): boolean {
  const informs = ["-h", "--help", "-V", "--version"];
  return operands.length === 0 && !args.some((arg) => informs.includes(arg));
}

function report(runtime: Runtime, error: unknown, options: { readonly json?: boolean }): number {
  const code = error instanceof Error ? exitCodeOf(error) : 1;
  const expected = code !== 1 && error instanceof Error;
  const text = expected ? error.message : error instanceof Error ? error.stack : String(error);
  const { red } = colorsFor(runtime, runtime.stderr);
  runtime.stderr.write(`${red("error:")} ${text}\n`);
  printJson(runtime, options, { error: String(expected ? error.message : error) });
  return code;
}
