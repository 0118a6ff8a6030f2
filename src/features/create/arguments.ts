import { ArgumentError, suggestion } from "../../cli/errors.ts";

type Named = "folder" | "runtime" | "database" | "with" | "from";
export type CreateArguments = Readonly<Partial<Record<Named, string>> & { help: boolean }>;

/** Skips one `--`, which some callers pass on. @throws {ArgumentError} */
export function readArguments(args: readonly string[]): CreateArguments {
  const words: string[] = [];
  const values: Record<string, string> = {};
  const separator = args.indexOf("--");
  const pending = args.filter((_, index) => index !== separator);
  for (let arg = pending.shift(); arg !== undefined; arg = pending.shift()) {
    if (arg === "--help" || arg === "-h") return { help: true };
    if (!arg.startsWith("-")) {
      words.push(arg);
      continue;
    }
    const [name, value] = optionOf(arg, pending);
    if (Object.hasOwn(values, name)) throw new ArgumentError(`option '--${name}' is given twice`);
    values[name] = value;
  }
  const [folder, extra] = words;
  if (extra !== undefined) {
    throw new ArgumentError(`too many arguments: '${extra}' is not expected`);
  }
  return { folder, ...values, help: false };
}

const VALUED = ["--runtime", "--database", "--with", "--from"];

function optionOf(arg: string, pending: string[]): readonly [name: string, value: string] {
  const [, name = arg, attached] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? [];
  if (!VALUED.includes(name)) {
    throw new ArgumentError(`unknown option '${name}'${suggestion(name, [...VALUED, "--help"])}`);
  }
  const value = attached ?? pending.shift();
  if (value === undefined || value === "" || (attached === undefined && value.startsWith("-"))) {
    throw new ArgumentError(`option '${name}' argument missing`);
  }
  return [name.slice(2), value];
}
