import { walk } from "@std/fs/walk";
import { fromFileUrl, relative } from "@std/path";
import type { Sources } from "./rules.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));

/** The published modules: `mod.ts`, `cli.ts`, `create.ts` and everything in `src`. */
export async function publishedSources(): Promise<Sources> {
  const found = new Map<string, string>();
  for (const name of ["mod.ts", "cli.ts", "create.ts"]) {
    found.set(name, await Deno.readTextFile(ROOT + name));
  }
  for await (const { path } of walk(`${ROOT}src`, { includeDirs: false })) {
    if (!path.endsWith(".ts")) continue;
    found.set(relative(ROOT, path).replaceAll("\\", "/"), await Deno.readTextFile(path));
  }
  return found;
}
