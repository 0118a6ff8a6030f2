/** Reads configuration files, apart from `mod.ts` so that applications without files leave it out. */
import { loadRuntime, type Runtime } from "../runtime/mod.ts";
import { basename, dirname, join, relative, resolve } from "../runtime/path.ts";
import { merge } from "./_expand.ts";
import { at, isMap, join as joinKeys, namesAt, split, withValue } from "./_path.ts";
import { type Layer, originIn, readLayer } from "./_yaml.ts";
import { assemble, type Keys, keysIn, type Kind } from "./create.ts";
import { describeOrigin } from "../text/mod.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { Config, ConfigMap, ConfigValue } from "./types.ts";

/** Where {@linkcode loadConfig} looks, and what goes over the files. */
export interface LoadConfigOptions {
  /** The process, its files and its network. @default the runtime that the process runs on */
  readonly runtime?: Runtime;
  /** The application root: its configuration is `<root>/config`, or `<root>` where that is missing. @default "." */
  readonly root?: string;
  /** The directory of the configuration: the root is its parent when it is named `config`, otherwise itself. */
  readonly directory?: string;
  /** Profiles whose files go over `application.yml`, the last wins. @default the key `profiles.active` */
  readonly profiles?: readonly string[];
  /** Values over everything else, nested or with dotted keys. */
  readonly overrides?: ConfigMap;
  /** Keys of the top level that are used: placeholders elsewhere need no value. @default all but lists of connections */
  readonly only?: readonly string[];
}

/** Keys that module files such as `search-config.yml` may hold. */
const MODULE_KEYS = ["search", "datasource"] as const;

/**
 * Reads `application.yml` and module files beside it, the files of the active profiles over them, then the environment,
 * then `overrides`.
 *
 * @throws {ConfigError} for a missing directory, broken YAML, one key in two places, two connections of one name, a
 * variable that does not convert, a placeholder that cannot be filled
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<Config> {
  const { config, layers } = await readFiles(options);
  const used = (key: string) => options.only?.includes(key) ?? true;
  for (const key of MODULE_KEYS) if (used(key)) refuseLost(config, key, layers);
  // Connections are filled when they are read: a command for one needs no secrets of the others.
  for (const key of config.keys()) {
    if (used(key) && !MODULE_KEYS.some((module) => module === key)) config.get(key);
  }
  return config;
}

/** Reads the files of {@linkcode loadConfig} without filling placeholders. @throws {ConfigError} */
export async function readConfig(
  options: LoadConfigOptions = {},
): Promise<{ readonly config: Config; readonly values: ConfigMap }> {
  const { config, layers, values: read } = await readFiles(options);
  let values: ConfigValue = read;
  for (const layer of layers) {
    for (const [key, text] of layer.written) {
      if (layerOf(layers, key) === layer) values = withValue(values, split(key), text);
    }
  }
  // The files alone: placeholders as they are written, numbers that would be written otherwise as their text.
  return { config, values: values as ConfigMap };
}

/** Reads one more file, whose placeholders the environment fills. @throws {ConfigError} */
export async function readConfigFile(runtime: Runtime, path: string): Promise<Config> {
  const { file, text } = await openFile(runtime, path);
  const layer = await readLayer(file, text);
  return assemble({
    root: dirname(path),
    values: layer.values,
    variable: runtime.env.get,
    origin: (key) => originIn(layer, key),
    written: (key) => layer.written.get(key),
  });
}

async function readFiles(options: LoadConfigOptions) {
  const { overrides, runtime = await loadRuntime() } = options;
  const { root, files } = await locate(runtime, options);

  const application = await files.read("application");
  const base = [...application ? [application] : [], ...await files.readModules()];
  refuseTwice(base);
  const variable = runtime.env.get;
  const profiles: Layer[] = [];
  const active = () => {
    const origin = application && ((key: string) => originIn(application, key));
    const config = { root, values: application?.values ?? {}, variable, origin, overrides };
    return namesAt(assemble(config), "profiles.active") ?? [];
  };
  for (const profile of options.profiles ?? active()) {
    const name = `application-${profile}`;
    const layer = await files.read(name);
    if (layer) profiles.push(layer);
    // No error: code may ask for the profile. But a name that is mistyped must not go unnoticed.
    else console.warn(`The profile '${profile}' changes nothing: there is no ${name}.yml`);
  }

  const layers = [...base, ...profiles];
  const values = layers.reduce<ConfigMap>((below, layer) => merge(below, layer.values), {});
  const config = assemble({
    root,
    values,
    variable,
    origin: (key) => originOf(layers, key),
    written: (key) => layerOf(layers, key)?.written.get(key),
    // The configuration names the profiles that were asked for.
    overrides: { ...overrides, ...(options.profiles && { "profiles.active": options.profiles }) },
  }, connectionKeys(values));
  return { config, layers, values };
}

function refuseTwice(layers: readonly Layer[]): void {
  for (const key of MODULE_KEYS) {
    const holders = layers.filter(({ values }) => Object.hasOwn(values, key));
    if (holders.length > 1) {
      const places = holders.map((layer) => describeOrigin(originIn(layer, key)));
      throw new ConfigError(`Expected '${key}' in one file, found it in ${places.join(" and ")}`);
    }
  }
}

const MAP_OVER_LIST = "Expected a list, which it is in another file, found a map: " +
  "write a map there for its one connection, or here a list of whole connections";

/** Two connections of one name would share a folder and records; a map over a list would replace all of it. */
function refuseLost(config: Config, list: string, layers: readonly Layer[]): void {
  const connections = at(layerOf(layers, list)?.values, list);
  if (isMap(connections) && layers.some(({ values }) => Array.isArray(values[list]))) {
    throw new ConfigError(MAP_OVER_LIST, { origin: originOf(layers, list), key: list });
  }
  if (!Array.isArray(connections)) return;
  const keys = connections.map((_, index) => `${list}[${index}].name`);
  for (const [name, [one = "", twin]] of Map.groupBy(keys, (key) => config.string(key))) {
    if (name === undefined || twin === undefined) continue;
    const places = [one, twin].map((key) => describeOrigin(originOf(layers, key)));
    throw new ConfigError(
      `Expected connections with unique names, found '${name}' twice: ${places.join(" and ")}`,
    );
  }
}

function originOf(layers: readonly Layer[], key: string): Origin {
  for (let path = key; path !== ""; path = path.replace(/(?:\.|^)[^.[\]]+$|\[\d+\]$/, "")) {
    const layer = layerOf(layers, path);
    if (layer) return originIn(layer, key);
  }
  return { file: layers[0]?.file ?? "the configuration" };
}

function layerOf(layers: readonly Layer[], key: string): Layer | undefined {
  return layers.findLast(({ values }) => at(values, key) !== undefined);
}

class ConfigFiles {
  constructor(
    readonly runtime: Runtime,
    readonly directory: string,
    readonly names: readonly string[],
  ) {}

  /** `name.yml` or `name.yaml`, of which there may be one. @throws {ConfigError} when there are both */
  async read(name: string): Promise<Layer | undefined> {
    const found = this.names.filter((file) => file === `${name}.yml` || file === `${name}.yaml`);
    if (found.length > 1) {
      const paths = found.map((file) => `'${shown(this.runtime, join(this.directory, file))}'`);
      throw new ConfigError(`Cannot choose between ${paths.join(" and ")}: keep one of them`);
    }
    if (found[0] === undefined) return undefined;
    const { file, text } = await openFile(this.runtime, join(this.directory, found[0]));
    return await readLayer(file, text);
  }

  async readModules(): Promise<Layer[]> {
    const layers: Layer[] = [];
    for (const name of this.names) {
      if (/^application(?:-.*)?\.ya?ml$/.test(name)) continue;
      const { file, text } = await openFile(this.runtime, join(this.directory, name));
      // A file without a module key belongs to another program, and may not be YAML.
      if (!MODULE_KEY.test(text)) continue;
      const layer = await readLayer(file, text, MODULE_KEYS);
      if (Object.keys(layer.values).length > 0) layers.push(layer);
    }
    return layers;
  }
}

async function openFile(runtime: Runtime, path: string) {
  const file = shown(runtime, path);
  const text = await runtime.files.readTextFile(path).catch((cause: Error) => {
    throw new ConfigError(`Cannot read the file: ${cause.message}`, { origin: { file }, cause });
  });
  return { file, text };
}

const MODULE_KEY = new RegExp(`^(?:\\{\\s*)?["']?(?:${MODULE_KEYS.join("|")})["']?\\s*[:.]`, "m");

/** @throws {ConfigError} when the directory is missing or, if it was named, empty */
async function locate(runtime: Runtime, { root, directory }: LoadConfigOptions) {
  const named = directory ?? root ?? ".";
  const path = resolve(runtime.cwd(), named);
  const isDirectory = async (path: string) =>
    (await runtime.files.stat(path))?.isDirectory === true;
  if (!await isDirectory(path)) {
    throw new ConfigError(`Cannot find the configuration: there is no directory '${named}'`);
  }
  const below = join(path, "config");
  const place = directory === undefined && await isDirectory(below) ? below : path;
  const names = await yamlFiles(runtime, place);
  if (names.length === 0 && (directory !== undefined || FOLDER_OF_EXECUTABLE.test(path))) {
    const hint = directory === undefined ? IN_EXECUTABLE : "";
    throw new ConfigError(
      `Cannot find the configuration: '${named}' has no application.yml and no other YAML file${hint}`,
    );
  }
  const isBelowRoot = directory !== undefined && basename(path) === "config";
  return {
    root: isBelowRoot ? dirname(path) : path,
    files: new ConfigFiles(runtime, place, names),
  };
}

const IN_EXECUTABLE = ". An executable contains no folders unless 'deno compile --include' adds " +
  "them: set 'root' to a folder on disk, or omit 'root' and pass 'components' and 'config' to bootstrap()";

const FOLDER_OF_EXECUTABLE =
  /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN|.*[\\/]deno-compile-[^\\/]+)(?:[\\/]|$)/;

async function yamlFiles({ files }: Runtime, directory: string): Promise<readonly string[]> {
  const names = (await files.list(directory)).filter((name) => /\.ya?ml$/.test(name));
  const found = await Promise.all(names.map((name) => files.stat(join(directory, name))));
  // A link that leads nowhere stays, so that reading it says so.
  return names.filter((_, index) => found[index]?.isDirectory !== true);
}

/** As people know it: relative to the working directory where that is shorter. */
function shown(runtime: Runtime, path: string): string {
  const short = relative(runtime.cwd(), path);
  return short.length < path.length ? short : path;
}

const KEYS_BY_LIST: Readonly<Record<string, Keys>> = {
  search: {
    string: "username password api_key bearer_token ca_cert client_cert client_key proxy " +
      "migrations.on_change",
    number: "connect_timeout timeout",
    boolean: "migrations.enabled ssl_verification",
  },
  datasource: {
    string: "username password url ssl migrations.url migrations.on_change migrations.folder " +
      "migrations.history_schema",
    number: "connect_timeout statement_timeout migrations.lock_timeout",
    boolean: "migrations.enabled",
  },
};

function connectionKeys(values: ConfigMap): readonly [key: string, kind: Kind][] {
  return Object.entries(KEYS_BY_LIST).flatMap(([list, keys]) => {
    const value = at(values, list);
    const paths = Array.isArray(value) ? value.map((_, index) => joinKeys(list, index)) : [list];
    return paths.filter((path) => isMap(at(values, path))).flatMap((path) => keysIn(keys, path));
  });
}
