import type { Runtime } from "../runtime/mod.ts";
import { basename, dirname, join, relative, resolve } from "../runtime/path.ts";
import { type Layer, readLayer } from "./_yaml.ts";
import { ConfigError } from "./errors.ts";

export class ConfigFiles {
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
    return found[0] === undefined ? undefined : await this.#layer(found[0]);
  }

  async readModules(keys: readonly string[]): Promise<Layer[]> {
    const layers: Layer[] = [];
    for (const name of this.names) {
      if (/^application(?:-.*)?\.ya?ml$/.test(name)) continue;
      const layer = await this.#layer(name, keys);
      if (Object.keys(layer.values).length > 0) layers.push(layer);
    }
    return layers;
  }

  async #layer(name: string, keys?: readonly string[]): Promise<Layer> {
    const path = join(this.directory, name);
    const file = shown(this.runtime, path);
    const text = await this.runtime.files.readTextFile(path).catch((cause: Error) => {
      throw new ConfigError(`Cannot read the file: ${cause.message}`, { origin: { file }, cause });
    });
    // A file without a module key belongs to another program, and may not be YAML.
    const isOurs = keys?.some((key) => {
      return new RegExp(`^(?:\\{\\s*)?["']?${key}["']?\\s*[:.]`, "m").test(text);
    });
    return isOurs === false
      ? { file, values: {}, lines: () => new Map(), written: new Map() }
      : await readLayer(file, text, keys);
  }
}

/** @throws {ConfigError} when the directory is missing or, if it was named, empty */
export async function locate(
  runtime: Runtime,
  { root, directory }: { readonly root?: string; readonly directory?: string },
): Promise<{ readonly root: string; readonly files: ConfigFiles }> {
  const named = directory ?? root ?? ".";
  const path = resolve(runtime.cwd(), named);
  if (!await isDirectory(runtime, path)) {
    throw new ConfigError(`Cannot find the configuration: there is no directory '${named}'`);
  }
  if (directory !== undefined) {
    const names = await yamlFiles(runtime, path);
    if (names.length > 0) {
      const files = new ConfigFiles(runtime, path, names);
      return { root: basename(path) === "config" ? dirname(path) : path, files };
    }
    throw new ConfigError(
      `Cannot find the configuration: '${directory}' has no application.yml and no other YAML file`,
    );
  }
  const below = join(path, "config");
  const place = await isDirectory(runtime, below) ? below : path;
  const names = await yamlFiles(runtime, place);
  if (names.length === 0 && FOLDER_OF_EXECUTABLE.test(path)) {
    throw new ConfigError(
      `Cannot find the configuration: '${named}' has no application.yml and no other YAML file. An executable contains ` +
        `no folders unless 'deno compile --include' adds them: set 'root' to a folder on disk, or omit 'root' and pass ` +
        `'components' and 'config' to bootstrap()`,
    );
  }
  return { root: path, files: new ConfigFiles(runtime, place, names) };
}

const FOLDER_OF_EXECUTABLE =
  /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN|.*[\\/]deno-compile-[^\\/]+)(?:[\\/]|$)/;

async function isDirectory({ files }: Runtime, path: string): Promise<boolean> {
  return (await files.stat(path))?.isDirectory === true;
}

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
