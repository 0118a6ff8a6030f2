import { assertRejects } from "@std/assert";
import { join } from "@std/path";
import { loadConfig, type LoadConfigOptions } from "../../src/config/load.ts";
import { type Config, ConfigError } from "../../src/config/mod.ts";
import { loadRuntime, type Runtime } from "../../src/runtime/mod.ts";

const deno = await loadRuntime();

export interface LoadOptions extends Omit<LoadConfigOptions, "runtime"> {
  readonly env?: Readonly<Record<string, string>>;
  /** Below the folder of the files. @default "" */
  readonly cwd?: string;
  /** Does more to the folder before the configuration is read. */
  readonly prepare?: (folder: string) => Promise<unknown>;
}

/** Writes files, loads the configuration of `config` with these environment variables, and cleans up. */
export async function load(
  tree: Readonly<Record<string, string>>,
  options: LoadOptions = {},
): Promise<Config> {
  const { env = {}, cwd = "", prepare, ...rest } = options;
  const path = await Deno.makeTempDir();
  const variables = { get: (name: string) => env[name], names: () => Object.keys(env) };
  const runtime: Runtime = { ...deno, cwd: () => join(path, cwd), env: variables };
  try {
    for (const [name, text] of Object.entries(tree)) {
      await deno.files.writeTextFile(join(path, name), text);
    }
    await prepare?.(path);
    return await loadConfig({ runtime, directory: "config", ...rest });
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

/** The same with `application.yml` alone. */
export function loadYaml(
  yaml: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Config> {
  return load({ "config/application.yml": yaml }, { env });
}

/** The message of the error that these files cause. */
export function fails(
  tree: Readonly<Record<string, string>>,
  options: LoadOptions = {},
): Promise<ConfigError> {
  return assertRejects(() => load(tree, options), ConfigError);
}
