import { ArgumentError } from "../cli/errors.ts";
import { suggestion } from "../cli/suggest.ts";
import { type RuntimeName, RUNTIMES } from "./project.ts";

export interface CreateArguments {
  readonly folder?: string;
  readonly runtime?: RuntimeName;
  readonly from?: string;
  readonly help: boolean;
}

/** Skips one `--`, which some callers pass on. @throws {ArgumentError} */
export function readArguments(args: readonly string[]): CreateArguments {
  const words: string[] = [];
  const values = new Map<string, string>();
  const separator = args.indexOf("--");
  const pending = args.filter((_, index) => index !== separator);
  for (let arg = pending.shift(); arg !== undefined; arg = pending.shift()) {
    if (arg === "--help" || arg === "-h") return { help: true };
    if (!arg.startsWith("-")) {
      words.push(arg);
      continue;
    }
    const [name, value] = optionOf(arg, pending);
    if (values.has(name)) throw new ArgumentError(`option '${name}' is given twice`);
    values.set(name, value);
  }
  const [folder, extra] = words;
  if (extra !== undefined) {
    throw new ArgumentError(`too many arguments: '${extra}' is not expected`);
  }
  const runtime = values.get("--runtime");
  const from = values.get("--from");
  return {
    ...(folder !== undefined && { folder }),
    ...(runtime !== undefined && { runtime: runtimeNamed(runtime) }),
    ...(from !== undefined && { from }),
    help: false,
  };
}

const VALUED = ["--runtime", "--from"];

function optionOf(arg: string, pending: string[]): readonly [name: string, value: string] {
  const [, name = arg, attached] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? [];
  if (!VALUED.includes(name)) {
    throw new ArgumentError(`unknown option '${name}'${suggestion(name, [...VALUED, "--help"])}`);
  }
  const value = attached ?? pending.shift();
  if (value === undefined || value === "" || (attached === undefined && value.startsWith("-"))) {
    throw new ArgumentError(`option '${name}' argument missing`);
  }
  return [name, value];
}

function runtimeNamed(name: string): RuntimeName {
  const found = RUNTIMES.find((runtime) => runtime === name);
  if (found) return found;
  throw new ArgumentError(
    `unknown runtime '${name}', expected one of ${RUNTIMES.join(", ")}` +
      suggestion(name, RUNTIMES),
  );
}
