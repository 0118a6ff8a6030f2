import { readConfig } from "../../config/load.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { resolve } from "../../runtime/path.ts";

/** Whether a folder has a configuration of this library; YAML files of other programs are none. @throws {ConfigError} */
export async function isConfigured(runtime: Runtime, directory: string): Promise<boolean> {
  const path = resolve(runtime.cwd(), directory);
  if (!(await runtime.files.stat(path))?.isDirectory) return false;
  if (!(await runtime.files.list(path)).some((name) => /\.ya?ml$/.test(name))) return false;
  return Object.keys((await readConfig({ runtime, directory })).values).length > 0;
}
