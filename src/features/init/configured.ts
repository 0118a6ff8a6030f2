import { readConfig } from "../../config/load.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { resolve } from "../../runtime/path.ts";

/** Whether a folder has a configuration of this library; YAML files of other programs are none, an empty `application.yml` is one. @throws {ConfigError} */
export async function isConfigured(runtime: Runtime, directory: string): Promise<boolean> {
  const path = resolve(runtime.cwd(), directory);
  const names = await runtime.files.list(path).catch(() => []);
  if (names.some((name) => /^application\.ya?ml$/.test(name))) return true;
  if (!names.some((name) => /\.ya?ml$/.test(name))) return false;
  return Object.keys((await readConfig({ runtime, directory })).values).length > 0;
}
