import { Command, Option } from "commander";
import type { Runtime } from "../runtime/mod.ts";
import { migrate } from "./commands/migrate.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import type { GlobalOptions } from "./types.ts";
import { VERSION } from "./version.ts";

/** A command: does its work, prints, and gives the exit code. */
type Run = (runtime: Runtime, options: GlobalOptions) => Promise<number>;

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
    .option("-v, --verbose", "tell more")
    .addHelpText("after", EPILOGUE)
    .showHelpAfterError("(run with --help for commands and options)")
    .configureOutput({
      writeOut: (text) => runtime.stdout.write(text),
      writeErr: (text) => runtime.stderr.write(text),
    })
    .exitOverride();

  const add = (name: string, description: string, run: Run) => {
    program.command(name).description(description).allowExcessArguments(false)
      .action(async (_own, command: Command) => {
        finish(await run(runtime, command.optsWithGlobals()));
      });
  };
  add("migrate", "apply what is new or changed (the default)", migrate);
  return program;
}

const EPILOGUE = `
Examples:
  $ irori -c config --sqlPath migrations              apply SQL migrations
  $ irori -c config --sqlPath migrations -m search    apply search migrations
  $ irori --connection logs -m search                 only connection 'logs'

Exit codes:
${EXIT_CODES.map(([code, meaning]) => `  ${code.padEnd(9)} ${meaning}`).join("\n")}
`;
