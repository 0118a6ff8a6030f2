import { type Config, ConfigError } from "../../config/mod.ts";
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

type OnNotice = (message: string, file?: string) => void;

export function noticesOf(label: string, onNotice: OnNotice): OnNotice {
  return (message, file) => onNotice(`${label}: ${message}`, file);
}
