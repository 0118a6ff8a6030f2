import { isAbsolute, resolve } from "../../runtime/path.ts";
import { type Config, ConfigError, type ConfigValue } from "../../config/mod.ts";
import { type FileSystem, type PemKind, pemProblem } from "../../runtime/mod.ts";
import { listed, nearest, quoted } from "../../text/mod.ts";

const MAX_NAME = 190;
/** Timers take no more milliseconds. */
export const MAX_SECONDS = 2_000_000;

/** The name of a connection, which is also that of its folder. @throws {ConfigError} when it is none */
export function connectionName(section: Config): string {
  const name = section.string("name");
  if (name === undefined || name.trim() === "") {
    throw section.error("name", "A connection needs a name, which is also that of its folder");
  }
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  if (name.length > MAX_NAME || /[/\\\u0000-\u001f\u007f]|^\.\.?$/.test(name)) {
    const message = `Expected the name of a folder of at most ${MAX_NAME} characters`;
    throw section.error("name", `${message}, found '${name.slice(0, 100)}'`);
  }
  return name;
}

/** The sections of a list, each read; no two of them have one name. @throws {ConfigError} */
export function connectionsIn<T extends { readonly name: string }>(
  config: Config,
  list: string,
  known: readonly string[],
  read: (section: Config) => T,
): readonly T[] {
  const names = new Set<string>();
  if (config.get(list) === undefined) {
    refuseMisspelt(config, [list], (key) => isConnections(config.get(key), known));
  }
  return config.sections(list).map((section) => {
    refuseMisspelt(section, known);
    const connection = read(section);
    if (names.has(connection.name)) {
      throw section.error(
        "name",
        `There are two connections '${connection.name}': give each its own name`,
      );
    }
    names.add(connection.name);
    return connection;
  });
}

/** Other keys may be those of the application, such as one that resembles a setting that is given. @throws {ConfigError} */
function refuseMisspelt(
  section: Config,
  known: readonly string[],
  isSetting = (_key: string) => true,
): void {
  const given = section.keys();
  const names = new Set(known.map((name) => name.replace(/\..*/, "")));
  // Too many words resemble shorter names: `sql` and `ssl`.
  const missing = [...names].filter((name) => name.length > 3 && !given.includes(name));
  for (const key of given) {
    if (names.has(key)) continue;
    const [meant = known.find((name) => name.endsWith(`.${key}`))] = nearest(key, missing);
    if (meant === undefined || section.get(meant) !== undefined || !isSetting(key)) continue;
    throw section.error(key, `Unknown setting: did you mean '${meant}'?`);
  }
}

function isConnections(value: ConfigValue | undefined, known: readonly string[]): boolean {
  const keys = Object.keys(Object([value].flat()[0]));
  const isKnown = (key: string) => known.some((name) => `${name}.`.startsWith(`${key}.`));
  return keys.includes("name") && keys.filter(isKnown).length > 1;
}

/** A name without a connection was meant for another one. @throws {ConfigError} */
export function refuseUnknownNames(
  config: Config,
  [list, called]: readonly [list: string, called: string],
  option: string,
  given: Readonly<Record<string, unknown>>,
): void {
  if (Object.keys(given).length === 0) return;
  const names = config.sections(list).map(connectionName);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const message = `'${option}' names the ${called} '${unknown}', which does not exist`;
  throw new ConfigError(`${message}: found ${quoted(names)}`);
}

/** Refuses what is no map, and keys that mean nothing: a misspelt one may be one that protects. @throws {ConfigError} */
export function checkKeys(config: Config, key: string, known: readonly string[]): void {
  const value = config.get(key);
  if (value === undefined || value === null) return;
  const names = quoted(known);
  if (typeof value !== "object" || Array.isArray(value)) {
    throw config.error(key, `Expected a map of ${names}`);
  }
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    throw config.error(`${key}.${name}`, `There is no setting '${name}': expected one of ${names}`);
  }
}

/** The names below a key, of keys with dots. */
export function keysBelow(keys: readonly string[], key: string): readonly string[] {
  return keys.flatMap((one) => one.startsWith(`${key}.`) ? one.slice(key.length + 1) : []);
}

/** A time in milliseconds that the configuration has in seconds, fractions included. @throws {ConfigError} */
export function milliseconds(
  section: Config,
  key: string,
  expected = "Expected seconds above 0",
): number | undefined {
  const seconds = section.number(key);
  if (seconds === undefined) return undefined;
  if (seconds > 0 && seconds <= MAX_SECONDS) return Math.max(1, Math.round(seconds * 1000));
  throw section.error(key, `${expected}, found '${seconds}'`);
}

export function choiceOf<const T extends string>(
  section: Config,
  key: string,
  choices: readonly T[],
  fallback: NoInfer<T>,
): T {
  const value = section.string(key, fallback);
  const choice = choices.find((choice) => choice === value);
  if (choice !== undefined) return choice;
  const expected = listed(choices.map((word) => `'${word}'`), "or");
  throw section.error(key, `Expected ${expected}, found '${value}'`);
}

export interface PemSource {
  readonly kind: PemKind;
  readonly text?: string;
  readonly path?: string;
  readonly error: (message: string) => Error;
}

export function pemOf(
  section: Config,
  key: string,
  kind: PemKind,
  value: string | undefined = section.string(key),
): PemSource | undefined {
  if (value === undefined) return undefined;
  const error = (message: string) => section.error(key, message);
  if (value.includes("-----BEGIN")) return { kind, text: value, error };
  return { kind, path: isAbsolute(value) ? value : resolve(section.root, value), error };
}

/** A certificate is of no use without its key, nor a key without its certificate. @throws {ConfigError} */
export function checkPair(section: Config, certificate: string, key: string): void {
  const [hasCertificate, hasKey] = [certificate, key].map((name) =>
    section.get(name) !== undefined
  );
  if (hasCertificate === hasKey) return;
  const [given, missing] = hasKey ? [key, certificate] : [certificate, key];
  throw section.error(given, `expected '${missing}' to be set, too`);
}

export async function loadPem(
  source: PemSource | undefined,
  files: Pick<FileSystem, "readTextFile">,
): Promise<string | undefined> {
  if (source === undefined) return undefined;
  const { kind, path } = source;
  const text = source.text ?? await files.readTextFile(path!).catch(() => {
    throw source.error(`Cannot read the file '${path}'`);
  });
  const problem = pemProblem(text, kind);
  if (problem === undefined) return text;
  throw source.error(path === undefined ? problem : `${problem}, in the file '${path}'`);
}
