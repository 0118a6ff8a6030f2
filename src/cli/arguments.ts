import { DURATION, durationMs, listed } from "../text/mod.ts";
import type { Addition, CommandSyntax, Program, Syntax } from "./command.ts";
import { ArgumentError } from "./errors.ts";
import type { Globals } from "./globals.ts";
import { type Given, type Spelled, synopsisOf, type Value } from "./option.ts";

export const DEFAULT_COMMAND = "migrate";

export interface Arguments {
  readonly command?: CommandSyntax;
  /** Whether the arguments name the command; otherwise it is the default. */
  readonly isNamed: boolean;
  /** By option name in camel case, such as `lockTimeout`: flags are `true`, durations are seconds. */
  readonly options: Given;
  readonly globals: Globals;
  readonly operands: readonly string[];
  readonly problem?: ArgumentProblem;
  /** What features add, if an option may be theirs. */
  readonly additions: readonly Addition[];
}

export interface ArgumentProblem {
  readonly message: string;
  readonly unknown?: { readonly name: string; readonly known: readonly string[] };
}

/**
 * Reads arguments like `parseArgs` of `node:util`, which takes Deno 6 ms to load: `--name value`, `--name=value`,
 * `-n value`, `-nvalue`, combined flags as in `-vh`; after `--` all arguments are operands. Options may precede the
 * command. Loads that command alone, unless there are options that it does not have.
 */
export async function readArguments(
  args: readonly string[],
  program: Program,
): Promise<Arguments> {
  const { names } = program;
  const name = args.find((arg) => names.includes(arg)) ?? DEFAULT_COMMAND;
  let additions: readonly Addition[] = [];
  let syntax = await program.syntax([name], additions);
  const isClear = ({ words, given }: Separate) =>
    (words[0] ?? DEFAULT_COMMAND) === name && given.every(({ option }) => option);
  let separate = separated(args, syntax);
  for (const commands of [[name], names]) {
    if (isClear(separate)) break;
    additions = await program.additions();
    syntax = await program.syntax(commands, additions);
    separate = separated(args, syntax);
  }
  return { ...understood(separate, syntax, names), additions };
}

/** Found out before a command is loaded. */
export async function asksForVersion(args: readonly string[], program: Program): Promise<boolean> {
  const { given } = separated(args, await program.syntax([], []));
  return given.some(({ option }) => option?.key === "version");
}

function understood(
  { words, given }: Separate,
  syntax: Syntax,
  names: readonly string[],
): Omit<Arguments, "additions"> {
  const [name = DEFAULT_COMMAND, ...operands] = words;
  const command = syntax.commands.find((candidate) => candidate.name === name);
  const options: Record<string, string | number | true> = {};
  const lists: Record<string, string[]> = {};
  const problems: ArgumentProblem[] = [];
  for (const written of given) {
    const read = valueOf(written, command, syntax);
    if (typeof read === "object") {
      problems.push(read);
      continue;
    }
    const option = command?.options.find(({ name }) => name === written.option!.name) ??
      written.option!;
    if (option.kind === "list") (lists[option.key] ??= []).push(`${read}`);
    else {
      const before = options[option.key] ?? read;
      const twice = `option '${synopsisOf(option)}' is given twice: '${before}' and '${read}'`;
      if (before !== read) problems.push({ message: twice });
      options[option.key] = read;
    }
  }
  const [problem = command ? operandProblem(command, operands) : unknownCommand(name, names)] =
    problems;
  const fallbacks = [...syntax.globals, ...command?.options ?? []]
    .flatMap(({ key, fallback }) => fallback === undefined ? [] : [[key, fallback] as const]);
  const type = typeOf(command, [operands, options, lists]);
  const all: Given = { ...Object.fromEntries(fallbacks), ...options, ...lists, ...type };
  return {
    ...(command && { command }),
    isNamed: words.length > 0,
    options: all,
    globals: all as Globals,
    operands,
    ...(problem && { problem }),
  };
}

/** Files for clusters are JSON, those for databases are not: the messages of a run need not say '-m search'. */
function typeOf(
  command: CommandSyntax | undefined,
  named: readonly object[],
): { readonly type?: "search" } {
  if (!command?.namesFiles) return {};
  const files = named.flatMap((group) => Object.values(group).flat());
  return files.some((file) => /\.json$/i.test(`${file}`)) ? { type: "search" } : {};
}

export function unknownCommand(name: string, known: readonly string[]): ArgumentProblem {
  return { message: `unknown command '${name}'`, unknown: { name, known } };
}

export async function argumentError({ message, unknown }: ArgumentProblem): Promise<ArgumentError> {
  if (!unknown) return new ArgumentError(message);
  const { suggestion } = await import("./suggest.ts");
  return new ArgumentError(message + suggestion(unknown.name, unknown.known));
}

interface Written {
  readonly name: string;
  readonly option?: Spelled;
  readonly value?: string;
  readonly next?: string;
}

interface Separate {
  readonly words: readonly string[];
  readonly given: readonly Written[];
}

function separated(args: readonly string[], syntax: Syntax): Separate {
  const options = optionsOf(undefined, syntax);
  const words: string[] = [];
  const given: Written[] = [];
  const pending = [...args];
  for (let arg = pending.shift(); arg !== undefined; arg = pending.shift()) {
    if (arg === "--") return { words: [...words, ...pending], given };
    if (!isOption(arg)) {
      words.push(arg);
      continue;
    }
    if (arg.startsWith("--")) {
      const [, written = arg, attached] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? [];
      const name = written.slice(2);
      const option = options.find((one) => one.name === name || one.aliases?.includes(name));
      given.push(withValue(written, option, attached, pending));
    } else {
      const [, letter = "", rest] = /^-(.)(.+)?$/su.exec(arg) ?? [];
      const option = options.find(({ short }) => short === letter);
      const isFlag = option?.value === undefined;
      // The letters after a flag are further flags.
      if (option && isFlag && rest !== undefined) pending.unshift(`-${rest}`);
      given.push(withValue(`-${letter}`, option, isFlag ? undefined : rest, pending));
    }
  }
  return { words, given };
}

function isOption(arg: string): boolean {
  return arg.startsWith("-") && arg !== "-";
}

function withValue(
  name: string,
  option: Spelled | undefined,
  attached: string | undefined,
  pending: string[],
): Written {
  if (!option) return { name };
  if (attached !== undefined) return { name, option, value: attached };
  const [next] = pending;
  if (option.value === undefined || next === undefined) return { name, option };
  return isOption(next) ? { name, option, next } : { name, option, value: pending.shift()! };
}

function valueOf(
  { name, option, value, next }: Written,
  command: CommandSyntax | undefined,
  syntax: Syntax,
): Exclude<Value, object> | ArgumentProblem {
  if (!option) return unknownOption(name, optionsOf(command, syntax));
  if (command && !optionsOf(command, syntax).some((own) => own.name === option.name)) {
    return foreignOption(option, command, syntax);
  }
  const synopsis = synopsisOf(option);
  if (option.value === undefined) {
    return value === undefined ? true : { message: `option '${synopsis}' takes no value` };
  }
  if (value === undefined) {
    const hint = next === undefined || next === "--"
      ? ""
      : `; to pass '${next}' as the value, write '--${option.name}=${next}'`;
    return { message: `option '${synopsis}' argument missing${hint}` };
  }
  const { choices, kind } = option;
  const invalid = `option '${synopsis}' argument '${value}' is invalid.`;
  if (kind === "time") {
    const milliseconds = durationMs(value, "s");
    if (milliseconds !== undefined) return milliseconds / 1000;
    return { message: `${invalid} Expected ${DURATION}` };
  }
  if (choices === undefined || choices.includes(value)) return value;
  return {
    message: `${invalid} Allowed choices are ${choices.join(", ")}`,
    unknown: { name: value, known: choices },
  };
}

function optionsOf(
  command: CommandSyntax | undefined,
  { globals, commands }: Syntax,
): readonly Spelled[] {
  return [...globals, ...(command ? [command] : commands).flatMap(({ options }) => options)];
}

function unknownOption(name: string, options: readonly Spelled[]): ArgumentProblem {
  const message = `unknown option '${name}'`;
  if (!name.startsWith("--")) return { message };
  const known = [...new Set(options.map((option) => `--${option.name}`))];
  return { message, unknown: { name, known } };
}

function foreignOption(
  option: Spelled,
  { name }: CommandSyntax,
  { commands }: Syntax,
): ArgumentProblem {
  const owners = commands.filter(({ options }) => options.some((own) => own.name === option.name))
    .map((command) => `'${command.name}'`);
  const owner = listed(owners, "and");
  return { message: `'${name}' has no option '--${option.name}', which belongs to ${owner}` };
}

function operandProblem(
  { name, operands = [] }: CommandSyntax,
  given: readonly string[],
): ArgumentProblem | undefined {
  const missing = operands.slice(given.length).find((operand) => operand.startsWith("<"));
  if (missing !== undefined) return { message: `missing argument '${missing}' of '${name}'` };
  const [extra] = given.slice(operands.length);
  if (extra === undefined || /\.\.\.[>\]]$/.test(operands.at(-1) ?? "")) return undefined;
  return { message: `too many arguments for '${name}': '${extra}' is not expected` };
}
