import { Command, InvalidArgumentError, Option } from "commander";
import { createColors } from "picocolors";
import type { Output, Runtime } from "../runtime/mod.ts";
import { baseline } from "./commands/baseline.ts";
import { drift } from "./commands/drift.ts";
import { migrate } from "./commands/migrate.ts";
import { create } from "./commands/new.ts";
import { contract, openapi } from "./commands/openapi.ts";
import { plan } from "./commands/plan.ts";
import { resolve } from "./commands/resolve.ts";
import { scan } from "./commands/scan.ts";
import { status } from "./commands/status.ts";
import { validate } from "./commands/validate.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { colorsFor } from "./screen.ts";
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
  const hasColors = (output: Output) => colorsFor(runtime, output).isColorSupported;
  const { bold } = createColors(true); // Commander takes colours out where there are to be none.
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
    .option("-v, --verbose", "also say which files are ignored")
    .option("--json", "print one result document on stdout")
    .option("--lock-timeout <time>", "how long to wait for another run (60s)", seconds)
    .option("--wait <time>", "how long to wait for a server to come up, such as 60s", seconds)
    .addHelpText("after", () => `${examples(heading)}\n${exitCodes(heading)}`)
    .configureHelp({ styleTitle: bold, showGlobalOptions: true })
    .showHelpAfterError("(run with --help for commands and options)")
    .configureOutput({
      writeOut: (text) => runtime.stdout.write(text),
      writeErr: (text) => runtime.stderr.write(text),
      getOutHasColors: () => hasColors(runtime.stdout),
      getErrHasColors: () => hasColors(runtime.stderr),
    })
    .exitOverride();

  const heading = colorsFor(runtime, runtime.stdout).bold;
  const add = (synopsis: string, description: string, run: Run): Command => {
    return program.command(synopsis).description(description).allowExcessArguments(false)
      .addHelpText("after", ({ command }) => examples(heading, command.name()))
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
  add("scan", "write components.gen.ts, which edge isolates take instead of a component scan", scan)
    .option("--check", "write nothing; exit with 4 when the file is not what it would be")
    .addHelpText("after", SCAN_EPILOGUE);
  add("openapi", "print the OpenAPI document of the controllers", openapi)
    .addHelpText("after", ROUTES_EPILOGUE);
  add("contract", "print what a typed client needs to know of the controllers", contract)
    .addHelpText("after", ROUTES_EPILOGUE);
  return program;
}

/** Seconds of `60`, `60s`, `2m` or `500ms`. */
function seconds(text: string): number {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Expected a time such as 60s or 2m.");
  return Number(number) * { ms: 0.001, s: 1, m: 60 }[unit as "ms" | "s" | "m"];
}

type Heading = (text: string) => string;

/** The examples of one command, or of all. */
function examples(heading: Heading, command?: string): string {
  const shown = EXAMPLES.filter(([args]) => command === undefined || args.startsWith(command));
  const width = Math.max(...shown.map(([args]) => args.length));
  const lines = shown.map(([args, meaning]) => `  $ irori ${args.padEnd(width)}   ${meaning}`);
  return `\n${heading("Examples:")}\n${lines.join("\n")}`;
}

function exitCodes(heading: Heading): string {
  const lines = EXIT_CODES.map(([code, meaning]) => `  ${code.padEnd(9)} ${meaning}`);
  return `\n${heading("Exit codes:")}\n${lines.join("\n")}\n`;
}

const EXAMPLES: readonly (readonly [args: string, meaning: string])[] = [
  ["migrate -c config --sqlPath migrations", "apply SQL migrations"],
  ["migrate -m search --wait 60s", "apply search migrations, once the cluster is up"],
  ["status -m search --check", "exit with 4 when there is something to apply"],
  ["plan -m search --connection logs", "what would be sent, for connection 'logs'"],
  ["validate -m search", "check the files where no cluster is at hand"],
  ["drift -m search --json", "what was changed by hand, as a document"],
  ["baseline --connection main", "take over a database that has all files already"],
  ["resolve 2026/alias.json --retry -m search", "let the next run apply it"],
  ["scan", "write components.gen.ts beside the folder 'config'"],
  ["scan -c . --check", "exit with 4 when classes or configuration changed since"],
  ["openapi > openapi.json", "the document without a server"],
  ["contract > contract.ts", "for client() of '@irori/irori/client'"],
  ["new add-users", "migrations/<connection>/<date>_add-users.sql"],
];

const ROUTES_EPILOGUE = `
Imports the modules below the folders of 'component-scan' and reads what their controllers declare. No bean is made and
nothing is started; controllers that are registered by code alone are not seen.
`;

const SCAN_EPILOGUE = `
Reads the folders of 'component-scan' and writes <root>/components.gen.ts: static imports of the classes that are
exported from there with @RestController, @Component, @Service or @Configuration, and the configuration with its
placeholders as they are. No module is run.

  import { env } from "cloudflare:workers";
  import { components, config } from "./components.gen.ts";
  export default await bootstrap({ components, config, env });
`;
