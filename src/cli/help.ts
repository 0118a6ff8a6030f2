import { DEFAULT_COMMAND, unknownCommand } from "./arguments.ts";
import { command, type CommandSyntax, type Context, type Syntax } from "./command.ts";
import { ArgumentError } from "./errors.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { type Spelled, synopsisOf } from "./option.ts";
import { colorsFor } from "./screen.ts";

export const declared = command({
  name: "help",
  operands: ["[command]"],
  description: "print the help of a command",
  examples: [],
  worked: `
$ irori help resolve
`,
  run: (context) => printHelp(context, context.operands[0]),
});

export async function printHelp({ runtime, program }: Context, name?: string): Promise<void> {
  const { names } = program;
  if (name !== undefined && !names.includes(name)) {
    throw new ArgumentError(unknownCommand(name, names));
  }
  const shown = name === undefined ? names : [name];
  const syntax = await program.syntax(shown, await program.additions());
  const { stdout } = runtime;
  const style = { columns: stdout.columns, heading: colorsFor(runtime, stdout).bold };
  stdout.write(helpOf(name, syntax, style));
}

type Row = readonly [term: string, description: string];

/** @param name of the command, or of none: the help of the program */
export function helpOf(
  name: string | undefined,
  { commands, globals }: Syntax,
  { columns, heading }: { readonly columns: number; readonly heading: (text: string) => string },
): string {
  const shown = commands.find((command) => command.name === (name ?? DEFAULT_COMMAND))!;
  const own = [...shown.options, ...globals.filter(isHelp)];
  const others = globals.filter((option) => !isHelp(option));
  const { usage, description, lists, examples, epilogue = "" } = name === undefined
    ? {
      usage: "[command] -c <dir> --sqlPath <dir> [-m sql|search]",
      description: "Applies versioned migrations to SQL databases and search clusters.",
      lists: {
        "Options:": globals.map(rowOf),
        "Commands:": commands.map((one): Row => [usageOf(one), one.description]),
      },
      examples: commands.flatMap(({ examples }) => examples),
    }
    : {
      ...shown,
      usage: usageOf(shown),
      lists: { "Options:": own.map(rowOf), "Global Options:": others.map(rowOf) },
    };
  const width = Math.max(...Object.values(lists).flat().map(([term]) => term.length));
  const sections = [
    `${heading("Usage:")} irori ${usage}\n`,
    `${description}\n`,
    ...Object.entries(lists).map(([title, rows]) => {
      return `${heading(title)}\n${table(rows, width, columns)}`;
    }),
    ...examples.length > 0 ? [`${heading("Examples:")}\n${commandLines(examples)}`] : [],
    `${heading("Exit codes:")}\n${table(EXIT_CODES, 8, Infinity)}${epilogue}`,
    `${heading("Worked example:")}\n${shown.worked.trim().replace(/^/gm, "  ")}\n`,
  ];
  return sections.join("\n");
}

function isHelp({ key }: Spelled): boolean {
  return key === "help";
}

function usageOf({ name, options, operands = [] }: CommandSyntax): string {
  return [name, ...(options.length > 0 ? ["[options]"] : []), ...operands].join(" ");
}

function rowOf(option: Spelled): Row {
  const { description, choices, fallback } = option;
  const facts: string[] = [];
  if (choices) facts.push(`choices: ${choices.map((choice) => `"${choice}"`).join(", ")}`);
  if (fallback !== undefined) facts.push(`default: "${fallback}"`);
  return [synopsisOf(option), description + (facts.length > 0 ? ` (${facts.join(", ")})` : "")];
}

/** Examples are not wrapped, so that they can be copied. */
function commandLines(examples: readonly Row[]): string {
  const width = Math.max(...examples.map(([args]) => args.length));
  return examples.map(([args, meaning]) => `  $ irori ${args.padEnd(width)}   ${meaning}\n`)
    .join("");
}

function table(rows: readonly Row[], width: number, columns: number): string {
  const start = " ".repeat(width + 4);
  return rows.map(([term, description]) => {
    const lines = broken(description, columns - start.length);
    return `  ${term.padEnd(width)}  ${lines.join(`\n${start}`)}\n`;
  }).join("");
}

function broken(text: string, width: number): readonly string[] {
  if (width < 20 || text.length <= width) return [text];
  return text.match(new RegExp(`(?=\\S)(?:.{1,${width}}|\\S+)(?= |$)`, "g")) ?? [];
}
