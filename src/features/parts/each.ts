import { type Config, ConfigError } from "../../config/mod.ts";
import type { TargetPart } from "../../migrations/runner/mod.ts";
import { nearest } from "../../text/mod.ts";

export const EACH_KEY = "migrations.each";

export type Word = "cluster" | "tenant";

/** How many parts are migrated at a time. @throws {ConfigError} */
export function readParallel(section: Config, fallback: number): number {
  const key = `${EACH_KEY}.parallel`;
  const parallel = section.number(key, fallback);
  if (Number.isInteger(parallel) && parallel > 0) return parallel;
  throw section.error(key, `Expected a whole number from 1, found '${parallel}'`);
}

export function noneHas(word: Word, [name]: readonly string[]): ConfigError {
  return new ConfigError(`No connection has '${EACH_KEY}', and so none a ${word} '${name}'`);
}

/** @param found how the names can be known, if none is near */
export function unknownPart(
  label: `${Word} '${string}' of '${string}'`,
  name: string,
  names: Iterable<string>,
  found: string,
): ConfigError {
  const [near] = nearest(name, names);
  const hint = near === undefined ? found : `did you mean '${near}'?`;
  return new ConfigError(`There is no ${label}: ${hint}`);
}

export function onlyParts(connection: string, names: readonly string[]): string {
  const word = (text: string) => /^[\w.,-]+$/.test(text) ? text : `'${text}'`;
  return `--only ${word(names.join())} --connection ${word(connection)}`;
}

const COMMANDS =
  /\bresolve \S.*? --\w+(?=\s)|(?<=(?:run|then) ')(?:adopt|baseline|migrate)[^'\n]*/g;

/** Puts the part into the commands of a message, which would act on all parts without it. */
export function partNamer(connection: string, part: string): NonNullable<TargetPart["namePartIn"]> {
  const only = onlyParts(connection, [part]);
  return (error) => {
    const message = error.message.replace(COMMANDS, (command) => `${command} ${only}`);
    return Object.assign(error, { message });
  };
}
