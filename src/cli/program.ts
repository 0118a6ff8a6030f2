import { Command, InvalidArgumentError, Option } from "commander";
import type { Runtime } from "../runtime/mod.ts";
import { baseline } from "./commands/baseline.ts";
import { drift } from "./commands/drift.ts";
import { migrate } from "./commands/migrate.ts";
import { create } from "./commands/new.ts";
import { plan } from "./commands/plan.ts";
import { resolve } from "./commands/resolve.ts";
import { status } from "./commands/status.ts";
import { validate } from "./commands/validate.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import type { GlobalOptions } from "./types.ts";
import { VERSION } from "./version.ts";

/** A command: does its work, prints, and gives the exit code. */
type Run = (
  runtime: Runtime,
  options: GlobalOptions,
  operands: readonly string[],
) => Promise<number>;

/**
 * Builds the command line (reference 4.3).
 *
 * @param finish called with the exit code of the command that ran
 */
export function createProgram(runtime: Runtime, finish: (code: number) => void): Command {
  const program = new Command("irori")
    .description("Applies versioned migrations to SQL databases and search clusters.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .usage("[command] -c <dir> --sqlPath <dir> [-m sql|search]")
    .option("-c, --config <dir>", "directory of the configuration", "config")
    .option("--sqlPath <dir>", "folder with a folder of migrations per connection", "migrations")
    .addOption(new Option("--sql-path <dir>").hideHelp())
    .addOption(
      new Option("-m, --type <type>", "kind of migrations").choices(["sql", "search"]).default(
        "sql",
      ),
    )
    .option("--connection <name>", "only this connection")
    .option("--json", "print one result document on stdout")
    .option("--lock-timeout <time>", "how long to wait for another run (60s)", seconds)
    .option("--wait <time>", "how long to wait for a server to come up, such as 60s", seconds)
    .addHelpText("after", EPILOGUE)
    .showHelpAfterError("(run with --help for commands and options)")
    .configureOutput({
      writeOut: (text) => runtime.stdout.write(text),
      writeErr: (text) => runtime.stderr.write(text),
    })
    .exitOverride();

  const add = (synopsis: string, description: string, run: Run): Command => {
    return program.command(synopsis).description(description).allowExcessArguments(false)
      .action(async (...args: unknown[]) => {
        const command = args.at(-1) as Command;
        finish(await run(runtime, command.optsWithGlobals(), command.args));
      });
  };
  add("migrate", "apply what is new or changed (the default)", migrate);
  add("status", "tell where each file stands", status)
    .option("--check", "exit with 4 when anything is pending or changed");
  add("plan", "print what 'migrate' would send, and how live resources differ", plan);
  add("validate", "check the files, without a request", validate);
  add("drift", "compare live resources with what was applied (search)", drift);
  add("baseline", "record files as applied without applying them", baseline);
  add("resolve <file>", "say what became of a file that a run was cut off in", resolve)
    .option("--applied", "it was applied")
    .option("--retry", "it was not: the next run applies it");
  add("new <name>", "write a dated file to start from", create);
  return program;
}

/** Seconds of `60`, `60s`, `2m` or `500ms`. */
function seconds(text: string): number {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Expected a time such as 60s or 2m.");
  return Number(number) * { ms: 0.001, s: 1, m: 60 }[unit as "ms" | "s" | "m"];
}

const EPILOGUE = `
Examples:
  $ irori -c config --sqlPath migrations              apply SQL migrations
  $ irori -c config --sqlPath migrations -m search    apply search migrations
  $ irori status -m search --check                    exit with 4 when there is something to apply
  $ irori plan -m search --connection logs            what would be sent, for connection 'logs'

Exit codes:
${EXIT_CODES.map(([code, meaning]) => `  ${code.padEnd(9)} ${meaning}`).join("\n")}
`;
