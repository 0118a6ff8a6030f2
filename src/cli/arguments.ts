import { DURATION, durationMs, listed } from "../text/mod.ts";
import {
  COMMANDS,
  type CommandSyntax,
  DEFAULT_COMMAND,
  OPTIONS,
  type OptionSyntax,
  synopsisOf,
} from "./program.ts";

export interface Arguments {
  readonly command?: CommandSyntax;
  /** Whether the arguments name the command; otherwise it is the default. */
  readonly isNamed: boolean;
  /** By option name in camel case, such as `lockTimeout`: flags are `true`, durations are seconds. */
  readonly options: Readonly<Record<string, OptionValue | readonly string[]>>;
  readonly operands: readonly string[];
  readonly problem?: ArgumentProblem;
}

export interface ArgumentProblem {
  readonly message: string;
  readonly unknown?: { readonly name: string; readonly known: readonly string[] };
}

/**
 * Reads arguments like `parseArgs` of `node:util`, which takes Deno 6 ms to load: `--name value`, `--name=value`,
 * `-n value`, `-nvalue`, combined flags as in `-vh`; after `--` all arguments are operands. Options may precede the
 * command.
 */
export function readArguments(args: readonly string[]): Arguments {
  const { words, given } = separate(args);
  const [name = DEFAULT_COMMAND, ...operands] = words;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  const options: Record<string, OptionValue> = {};
  const lists: Record<string, string[]> = {};
  const problems: ArgumentProblem[] = [];
  for (const option of given) {
    const read = valueOf(option, command);
    if (typeof read === "object") problems.push(read);
    else {
      const key = keyOf(option.option!);
      const own = command?.options?.find(({ name }) => name === option.option!.name);
      if (own?.isList) {
        (lists[key] ??= []).push(`${read}`);
        continue;
      }
      const before = options[key] ?? read;
      if (before !== read) problems.push(givenTwice(option.option!, before, read));
      options[key] = read;
    }
  }
  const [problem = command ? operandProblem(command, operands) : unknownCommand(name)] = problems;
  return {
    ...(command && { command }),
    isNamed: words.length > 0,
    options: { ...FALLBACKS, ...options, ...lists, ...kindOf(command, [operands, options, lists]) },
    operands,
    ...(problem && { problem }),
  };
}

/** Files for clusters are JSON, those for databases are not: the messages of a run need not say '-m search'. */
function kindOf(command: CommandSyntax | undefined, named: readonly object[]): { type?: "search" } {
  if (!["resolve", "baseline", "adopt"].includes(command?.name ?? "")) return {};
  const files = named.flatMap((group) => Object.values(group).flat());
  return files.some((file) => /\.json$/i.test(`${file}`)) ? { type: "search" } : {};
}

export function unknownCommand(name: string): ArgumentProblem {
  const known = COMMANDS.map((command) => command.name);
  return { message: `unknown command '${name}'`, unknown: { name, known } };
}

type OptionValue = string | number | true;

interface Given {
  readonly name: string;
  readonly option?: OptionSyntax;
  readonly value?: string;
  readonly next?: string;
}

const ALL_OPTIONS = [...OPTIONS, ...COMMANDS.flatMap(({ options = [] }) => options)];

const FALLBACKS: Readonly<Record<string, OptionValue>> = Object.fromEntries(
  OPTIONS.flatMap((option) =>
    option.fallback === undefined ? [] : [[keyOf(option), option.fallback]]
  ),
);

function separate(args: readonly string[]): {
  readonly words: readonly string[];
  readonly given: readonly Given[];
} {
  const words: string[] = [];
  const given: Given[] = [];
  const pending = [...args];
  for (let arg = pending.shift(); arg !== undefined; arg = pending.shift()) {
    if (arg === "--") return { words: [...words, ...pending], given };
    if (!isOption(arg)) {
      words.push(arg);
      continue;
    }
    if (arg.startsWith("--")) {
      const [, name = arg, attached] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? [];
      given.push(withValue(name, named(name.slice(2)), attached, pending));
    } else {
      const [, letter = "", rest] = /^-(.)(.+)?$/su.exec(arg) ?? [];
      const option = ALL_OPTIONS.find(({ short }) => short === letter);
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

function named(name: string): OptionSyntax | undefined {
  return ALL_OPTIONS.find((option) => option.name === name || option.aliases?.includes(name));
}

function withValue(
  name: string,
  option: OptionSyntax | undefined,
  attached: string | undefined,
  pending: string[],
): Given {
  if (!option) return { name };
  if (attached !== undefined) return { name, option, value: attached };
  const [next] = pending;
  if (option.value === undefined || next === undefined) return { name, option };
  return isOption(next) ? { name, option, next } : { name, option, value: pending.shift()! };
}

function valueOf(
  { name, option, value, next }: Given,
  command: CommandSyntax | undefined,
): OptionValue | ArgumentProblem {
  if (!option) return unknownOption(name, command);
  if (command && !optionsOf(command).some((own) => own.name === option.name)) {
    return foreignOption(option, command);
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
  const { choices, isTime = false } = option;
  const invalid = `option '${synopsis}' argument '${value}' is invalid.`;
  if (isTime) {
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

function optionsOf(command: CommandSyntax | undefined): readonly OptionSyntax[] {
  return command ? [...OPTIONS, ...command.options ?? []] : ALL_OPTIONS;
}

function unknownOption(name: string, command: CommandSyntax | undefined): ArgumentProblem {
  const message = `unknown option '${name}'`;
  if (!name.startsWith("--")) return { message };
  const known = [...new Set(optionsOf(command).map((option) => `--${option.name}`))];
  return { message, unknown: { name, known } };
}

function foreignOption(option: OptionSyntax, { name }: CommandSyntax): ArgumentProblem {
  const owners = COMMANDS.filter(({ options = [] }) =>
    options.some((own) => own.name === option.name)
  ).map((command) => `'${command.name}'`);
  return {
    message: `'${name}' has no option '--${option.name}', which belongs to ${
      listed(owners, "and")
    }`,
  };
}

function givenTwice(
  option: OptionSyntax,
  before: OptionValue,
  after: OptionValue,
): ArgumentProblem {
  return {
    message: `option '${synopsisOf(option)}' is given twice: '${before}' and '${after}'`,
  };
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

function keyOf({ name }: OptionSyntax): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
