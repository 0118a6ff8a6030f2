import { basename, dirname, join, relative, resolve } from "@std/path";
import { loadRuntime, type Runtime } from "../runtime/mod.ts";
import { at, scalars } from "./_path.ts";
import { type Layer, merge, originIn, readLayer } from "./_yaml.ts";
import { assemble } from "./create.ts";
import { ConfigError, describeOrigin, type Origin } from "./errors.ts";
import type { Config, ConfigMap } from "./types.ts";

/** Where {@linkcode loadConfig} looks, and what goes over the files. */
export interface LoadConfigOptions {
  /** @default the runtime that the process runs on */
  /** The process, its files and its network. */
  readonly runtime?: Runtime;
  /** The application root: its configuration is `<root>/config`, or `<root>` where that is missing. */
  readonly root?: string;
  /** The directory of the configuration: the root is its parent when it is named `config`, otherwise itself. */
  readonly directory?: string;
  /** Profiles whose files go over `application.yml`, the last wins. @default the key `profiles.active` */
  readonly profiles?: readonly string[];
  /** Values over everything else, nested or with dotted keys. */
  readonly overrides?: ConfigMap;
}

/** Keys that module files such as `search-config.yml` may hold. */
const MODULE_KEYS = ["search", "datasource"] as const;

/**
 * Reads `application.yml`, the files of the active profiles over it, module files beside them, then the environment,
 * then `overrides`.
 *
 * @throws {ConfigError} for a missing directory, broken YAML, one key in two files, two connections of one name, a
 * variable that does not convert, a placeholder that cannot be filled
 */
export async function loadConfig(options: LoadConfigOptions): Promise<Config> {
  const { overrides, runtime = await loadRuntime() } = options;
  const { root, directory } = await locate(runtime, options);
  const names = await configFiles(runtime, directory, options.directory !== undefined);
  const read = async (name: string) => {
    const path = join(directory, name);
    return readLayer(shown(runtime, path), await runtime.files.readTextFile(path));
  };

  const layers: Layer[] = [];
  const application = single(names, "application", runtime, directory);
  if (application) layers.push(await read(application));
  for (const profile of options.profiles ?? activeProfiles(layers[0], runtime)) {
    const name = single(names, `application-${profile}`, runtime, directory);
    if (name) layers.push(await read(name));
  }
  const base = layers.reduce<ConfigMap>((values, layer) => merge(values, layer.values), {});
  const modules = await moduleLayers(names, directory, runtime);
  const all = [...modules, ...layers];
  refuseTwice(layers, modules);

  const values = modules.reduce<ConfigMap>((merged, layer) => merge(merged, layer.values), base);
  const origin = (key: string) => originOf(all, key);
  refuseTwins(values, origin);
  const config = assemble({ root, values, variable: runtime.env.get, origin, overrides });
  // Connections are filled when they are read: a command for one needs no secrets of the others.
  const eager = config.keys().filter((key) => !MODULE_KEYS.some((module) => module === key));
  for (const key of eager) config.get(key);
  return config;
}

async function locate(
  runtime: Runtime,
  { root, directory }: LoadConfigOptions,
): Promise<{ root: string; directory: string }> {
  if (directory !== undefined) {
    const path = resolve(runtime.cwd(), directory);
    if (!(await runtime.files.stat(path))?.isDirectory) {
      throw new ConfigError(`Cannot find the configuration: there is no directory '${directory}'`);
    }
    return { root: basename(path) === "config" ? dirname(path) : path, directory: path };
  }
  const path = resolve(runtime.cwd(), root ?? ".");
  const below = join(path, "config");
  const nested = (await runtime.files.stat(below))?.isDirectory === true;
  return { root: path, directory: nested ? below : path };
}

async function configFiles(
  { files }: Runtime,
  directory: string,
  required: boolean,
): Promise<readonly string[]> {
  const names = (await files.stat(directory))?.isDirectory ? await files.list(directory) : [];
  const found = names.filter((name) => /\.ya?ml$/.test(name));
  if (required && found.length === 0) {
    throw new ConfigError(
      `Cannot find the configuration: '${directory}' has no application.yml and no other YAML file`,
    );
  }
  return found;
}

/** `name.yml` or `name.yaml`, of which there may be one. */
function single(
  names: readonly string[],
  name: string,
  runtime: Runtime,
  directory: string,
): string | undefined {
  const found = names.filter((file) => file === `${name}.yml` || file === `${name}.yaml`);
  if (found.length > 1) {
    const paths = found.map((file) => `'${shown(runtime, join(directory, file))}'`);
    throw new ConfigError(`Cannot choose between ${paths.join(" and ")}: keep one of them`);
  }
  return found[0];
}

function activeProfiles(application: Layer | undefined, { env }: Runtime): readonly string[] {
  const configured = env.get("PROFILES_ACTIVE") ??
    at(application?.values ?? {}, "profiles.active") ?? [];
  const list = Array.isArray(configured) ? configured : String(configured).split(",");
  return list.map((profile) => String(profile).trim()).filter((profile) => profile !== "");
}

/** Other files, cut down to the keys of modules. */
async function moduleLayers(
  names: readonly string[],
  directory: string,
  runtime: Runtime,
): Promise<Layer[]> {
  const layers: Layer[] = [];
  for (const name of names) {
    if (/^application(?:-.*)?\.ya?ml$/.test(name)) continue;
    const path = join(directory, name);
    const text = await runtime.files.readTextFile(path);
    // What names no module is somebody else's file, which may be no YAML at all.
    if (!MODULE_KEYS.some((key) => new RegExp(`^["']?${key}\\b`, "m").test(text))) continue;
    const layer = readLayer(shown(runtime, path), text);
    const own = Object.entries(layer.values).filter(([key]) => MODULE_KEYS.some((m) => m === key));
    layers.push({ ...layer, values: Object.fromEntries(own) });
  }
  return layers;
}

/** One module key in two files, of which only one can be meant. */
function refuseTwice(layers: readonly Layer[], modules: readonly Layer[]): void {
  for (const key of MODULE_KEYS) {
    const holders = [...layers.slice(0, 1), ...modules].filter(({ values }) =>
      Object.hasOwn(values, key)
    );
    if (holders.length > 1) {
      const places = holders.map((layer) => describeOrigin(originIn(layer, key)));
      throw new ConfigError(`Expected '${key}' in one file, found it in ${places.join(" and ")}`);
    }
  }
}

/** Two connections of one name: they would share a folder and records. */
function refuseTwins(values: ConfigMap, origin: (key: string) => Origin): void {
  for (const key of MODULE_KEYS) {
    const seen = new Map<unknown, string>();
    for (const [path, name] of scalars({ [key]: values[key] ?? [] })) {
      if (!new RegExp(`^${key}\\[\\d+\\]\\.name$`).test(path)) continue;
      const other = seen.get(name);
      if (other !== undefined) {
        const places = [other, path].map((place) => describeOrigin(origin(place)));
        throw new ConfigError(
          `Cannot tell two connections named '${name}' apart: ${places.join(" and ")}`,
        );
      }
      seen.set(name, path);
    }
  }
}

/** The last file that has the key, or the part of it that is nearest. */
function originOf(layers: readonly Layer[], key: string): Origin {
  for (let path = key; path !== ""; path = path.replace(/(?:\.|^)[^.[\]]+$|\[\d+\]$/, "")) {
    const layer = layers.findLast(({ values }) => at(values, path) !== undefined);
    if (layer) return originIn(layer, key);
  }
  const [first] = layers;
  return { file: first?.file ?? "the configuration" };
}

/** Relative to the working directory where it lies below. */
function shown(runtime: Runtime, path: string): string {
  const short = relative(runtime.cwd(), path);
  return short.startsWith("..") ? path : short;
}
