import { argumentError, DEFAULT_COMMAND, unknownCommand } from "./arguments.ts";
import { command, type CommandSyntax, type Context, type Syntax } from "./command.ts";
import { EXIT, EXIT_CODES } from "./exit_codes.ts";
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

export async function printHelp({ runtime, program }: Context, name?: string): Promise<number> {
  const { names } = program;
  if (name !== undefined && !names.includes(name)) {
    throw await argumentError(unknownCommand(name, names));
  }
  const syntax = await program.syntax(
    name === undefined ? names : [name],
    await program.additions(),
  );
  const { stdout } = runtime;
  const style = { columns: stdout.columns, heading: colorsFor(runtime, stdout).bold };
  stdout.write(helpOf(name, syntax, style));
  return EXIT.done;
}

export interface HelpStyle {
  readonly columns: number;
  readonly heading: (text: string) => string;
}

/** @param name of the command, or of none: the help of the program */
export function helpOf(name: string | undefined, syntax: Syntax, style: HelpStyle): string {
  const { commands, globals } = syntax;
  const shown = commands.find((command) => command.name === (name ?? DEFAULT_COMMAND))!;
  const text = name === undefined
    ? helpOfProgram(syntax, style)
    : helpOfCommand(shown, globals, style);
  const example = shown.worked.trim().replace(/^/gm, "  ");
  return `${text}\n${style.heading("Worked example:")}\n${example}\n`;
}

function helpOfProgram({ commands, globals }: Syntax, style: HelpStyle): string {
  const rows = commands.map((command): Row => [usageOf(command), command.description]);
  const examples = commands.flatMap((command) => command.examples);
  const usage = "irori [command] -c <dir> --sqlPath <dir> [-m sql|search]";
  const description = "Applies versioned migrations to SQL databases and search clusters.";
  const lists: readonly List[] = [["Options:", globals.map(rowOf)], ["Commands:", rows]];
  return page(usage, description, lists, examples, style);
}

function helpOfCommand(
  command: CommandSyntax,
  globals: readonly Spelled[],
  style: HelpStyle,
): string {
  const { description, options, examples, epilogue = "" } = command;
  const isHelp = ({ key }: Spelled) => key === "help";
  const own = [...options, ...globals.filter(isHelp)];
  const others = globals.filter((option) => !isHelp(option));
  const lists: readonly List[] = [
    ["Options:", own.map(rowOf)],
    ["Global Options:", others.map(rowOf)],
  ];
  return page(`irori ${usageOf(command)}`, description, lists, examples, style) + epilogue;
}

type Row = readonly [term: string, description: string];
type List = readonly [title: string, rows: readonly Row[]];

function page(
  usage: string,
  description: string,
  lists: readonly List[],
  examples: readonly Row[],
  { columns, heading }: HelpStyle,
): string {
  const width = Math.max(...lists.flatMap(([, rows]) => rows.map(([term]) => term.length)));
  const sections = [
    `${heading("Usage:")} ${usage}\n`,
    `${description}\n`,
    ...lists.map(([title, rows]) => `${heading(title)}\n${table(rows, width, columns)}`),
  ];
  if (examples.length > 0) sections.push(`${heading("Examples:")}\n${commandLines(examples)}`);
  sections.push(`${heading("Exit codes:")}\n${table(EXIT_CODES, 8, Infinity)}`);
  return sections.join("\n");
}

function usageOf({ name, options, operands = [] }: CommandSyntax): string {
  return [name, ...(options.length > 0 ? ["[options]"] : []), ...operands].join(" ");
}

function rowOf(option: Spelled): Row {
  const { description, choices, fallback } = option;
  const facts: string[] = [];
  if (choices) facts.push(`choices: ${choices.map((choice) => `"${choice}"`).join(", ")}`);
  if (fallback !== undefined) facts.push(`default: "${fallback}"`);
  return [
    synopsisOf(option),
    facts.length === 0 ? description : `${description} (${facts.join(", ")})`,
  ];
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
  if (width < 20) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
