import { EXIT_CODES } from "./exit_codes.ts";
import {
  type CommandName,
  COMMANDS,
  type CommandSyntax,
  DEFAULT_COMMAND,
  OPTIONS,
  type OptionSyntax,
  synopsisOf,
} from "./program.ts";
import { WORKED_EXAMPLES } from "./worked_examples.ts";

export interface HelpStyle {
  readonly columns: number;
  readonly heading: (text: string) => string;
}

export function helpOf(command: CommandSyntax | undefined, style: HelpStyle): string {
  return command ? helpOfCommand(command, style) : helpOfProgram(style);
}

function helpOfProgram(style: HelpStyle): string {
  const commands = COMMANDS.map((command): Row => [usageOf(command), command.description]);
  const examples = COMMANDS.flatMap((command) => command.examples);
  const usage = "irori [command] -c <dir> --sqlPath <dir> [-m sql|search]";
  const description = "Applies versioned migrations to SQL databases and search clusters.";
  const lists: readonly List[] = [["Options:", OPTIONS.map(rowOf)], ["Commands:", commands]];
  return page(usage, description, lists, examples, style) + workedExample(DEFAULT_COMMAND, style);
}

function helpOfCommand(command: CommandSyntax, style: HelpStyle): string {
  const { description, options = [], examples, epilogue = "" } = command;
  const own = [...options, ...OPTIONS.filter(isHelp)];
  const others = OPTIONS.filter((option) => !isHelp(option));
  const lists: readonly List[] = [
    ["Options:", own.map(rowOf)],
    ["Global Options:", others.map(rowOf)],
  ];
  return page(`irori ${usageOf(command)}`, description, lists, examples, style) + epilogue +
    workedExample(command.name, style);
}

function workedExample(command: CommandName, { heading }: HelpStyle): string {
  return `\n${heading("Worked example:")}\n${
    WORKED_EXAMPLES[command].trim().replace(/^/gm, "  ")
  }\n`;
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
  return [name, ...(options ? ["[options]"] : []), ...operands].join(" ");
}

function isHelp({ name }: OptionSyntax): boolean {
  return name === "help";
}

function rowOf(option: OptionSyntax): Row {
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
