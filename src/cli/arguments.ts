import { DURATION, durationMs, listed } from "../text/mod.ts";
import type { Addition, CommandSyntax, Program, Syntax } from "./command.ts";
import { suggestion } from "./errors.ts";
import type { GlobalOptions } from "./globals.ts";
import { type Given, type Spelled, synopsisOf } from "./option.ts";

export const DEFAULT_COMMAND = "migrate";

export type Arguments = Awaited<ReturnType<typeof readArguments>>;

/**
 * Reads arguments like `parseArgs` of `node:util`, which takes Deno 6 ms to load: `--name value`, `--name=value`,
 * `-n value`, `-nvalue`, combined flags as in `-vh`; after `--` all arguments are operands. Options may precede the
 * command. Loads that command alone, unless there are options that it does not have.
 */
export async function readArguments(args: readonly string[], program: Program) {
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

function understood({ words, given }: Separate, syntax: Syntax, names: readonly string[]) {
  const [name = DEFAULT_COMMAND, ...operands] = words;
  const command = syntax.commands.find((candidate) => candidate.name === name);
  const options: Record<string, string | number | true> = {};
  const lists: Record<string, string[]> = {};
  const problems: string[] = [];
  for (const written of given) {
    const problem = optionProblem(written, command, syntax);
    if (problem !== undefined) {
      // The command decides which options there are.
      problems.push(command || written.isFirst ? problem : unknownCommand(name, names));
      continue;
    }
    const { value } = written;
    const option = command?.options.find(({ name }) => name === written.option!.name) ??
      written.option!;
    if (option.kind === "list") {
      (lists[option.key] ??= []).push(`${value}`);
      continue;
    }
    const read = option.kind === "time" ? durationMs(value!, "s")! / 1000 : value ?? true;
    const before = options[option.key] ?? read;
    if (before !== read) {
      problems.push(`option '${synopsisOf(option)}' is given twice: '${before}' and '${read}'`);
    }
    options[option.key] = read;
  }
  const [problem = command ? operandProblem(command, operands) : unknownCommand(name, names)] =
    problems;
  const fallbacks = [...syntax.globals, ...command?.options ?? []]
    .flatMap(({ key, fallback }) => fallback === undefined ? [] : [[key, fallback] as const]);
  // Files for clusters are JSON, those for databases are not: the messages of a run need not say '-m search'.
  const files = [operands, options, lists].flatMap((group) => Object.values(group).flat());
  const isSearch = command?.namesFiles && files.some((file) => /\.json$/i.test(`${file}`));
  const type = isSearch && { type: "search" };
  const all: Given = { ...Object.fromEntries(fallbacks), ...options, ...lists, ...type };
  return {
    command,
    /** Whether the arguments name the command; otherwise it is the default. */
    isNamed: words.length > 0,
    /** By option name in camel case, such as `lockTimeout`: flags are `true`, durations are seconds. */
    options: all,
    globals: all as GlobalOptions,
    operands,
    problem,
  };
}

export function unknownCommand(name: string, known: readonly string[]): string {
  return `unknown command '${name}'${suggestion(name, known)}`;
}

interface Written {
  readonly name: string;
  readonly option: Spelled | undefined;
  readonly value: string | undefined;
  readonly next: string | undefined;
  readonly isFirst: boolean;
}

type Separate = ReturnType<typeof separated>;

function separated(args: readonly string[], syntax: Syntax) {
  const options = knownOptions(undefined, syntax);
  const words: string[] = [];
  const given: Written[] = [];
  const pending = [...args];
  for (let arg = pending.shift(); arg !== undefined; arg = pending.shift()) {
    if (arg === "--") return { words: [...words, ...pending], given };
    if (!isOption(arg)) {
      words.push(arg);
      continue;
    }
    const isLong = arg.startsWith("--");
    const pattern = isLong ? /^(--[^=]+)=(.*)$/s : /^(-.)(.+)?$/su;
    const [, name = arg, attached] = pattern.exec(arg) ?? [];
    const option = options.find(({ name: own, short, aliases = [] }) =>
      isLong ? [own, ...aliases].includes(name.slice(2)) : short === name.slice(1)
    );
    const isFlag = option?.value === undefined;
    const isGroup = isFlag && !isLong;
    let value = isGroup ? undefined : attached;
    // The letters after a flag are further flags.
    if (option && isGroup && attached !== undefined) pending.unshift(`-${attached}`);
    const [next] = pending;
    if (!isFlag && value === undefined && next !== undefined && !isOption(next)) {
      value = pending.shift();
    }
    given.push({ name, option, value, next, isFirst: words.length === 0 });
  }
  return { words, given };
}

function isOption(arg: string): boolean {
  return arg.startsWith("-") && arg !== "-";
}

function optionProblem(
  { name, option, value, next }: Written,
  command: CommandSyntax | undefined,
  syntax: Syntax,
): string | undefined {
  const own = knownOptions(command, syntax);
  if (!option) {
    const known = new Set(own.map((option) => `--${option.name}`));
    return `unknown option '${name}'${name.startsWith("--") ? suggestion(name, [...known]) : ""}`;
  }
  const has = ({ name }: Spelled) => name === option.name;
  if (command && !own.some(has)) {
    const owners = syntax.commands.filter(({ options }) => options.some(has));
    const names = listed(owners.map(({ name }) => `'${name}'`), "and");
    return `'${command.name}' has no option '--${option.name}', which belongs to ${names}`;
  }
  const said = `option '${synopsisOf(option)}'`;
  if (option.value === undefined) return value === undefined ? value : `${said} takes no value`;
  if (value === undefined) {
    const hint = next === undefined || next === "--"
      ? ""
      : `; to pass '${next}' as the value, write '--${option.name}=${next}'`;
    return `${said} argument missing${hint}`;
  }
  const { choices = [value], kind } = option;
  const invalid = `${said} argument '${value}' is invalid.`;
  if (kind === "time" && durationMs(value, "s") === undefined) {
    return `${invalid} Expected ${DURATION}`;
  }
  if (choices.includes(value)) return undefined;
  return `${invalid} Allowed choices are ${choices.join(", ")}${suggestion(value, choices)}`;
}

function knownOptions(
  command: CommandSyntax | undefined,
  { globals, commands }: Syntax,
): readonly Spelled[] {
  return [...globals, ...(command ? [command] : commands).flatMap(({ options }) => options)];
}

function operandProblem(
  { name, operands = [] }: CommandSyntax,
  given: readonly string[],
): string | undefined {
  const missing = operands.slice(given.length).find((operand) => operand.startsWith("<"));
  if (missing !== undefined) return `missing argument '${missing}' of '${name}'`;
  const [extra] = given.slice(operands.length);
  if (extra === undefined || /\.\.\.[>\]]$/.test(operands.at(-1) ?? "")) return undefined;
  return `too many arguments for '${name}': '${extra}' is not expected`;
}
