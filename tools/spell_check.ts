import { join, resolve } from "@std/path";
import { installed } from "./_npm.ts";
import { deno } from "./_run.ts";

const CONFIG = "cspell.json";

/**
 * Checks the spelling of the repository's texts, British, by cspell: its dictionaries come with its package, and code is
 * left out. A word that is right and unknown belongs into `words` of `cspell.json`.
 *
 * @param folder of which every page is checked, in place of what `cspell.json` names
 */
export async function spellCheck(
  folder?: string,
): Promise<{ ok: boolean; output: string }> {
  // 10.4.1 asks for a version of another package that was not published.
  const tool = await installed("cspell", ["cspell@10.4.0"]);
  const script = join(tool, "node_modules/cspell/bin.mjs");
  const options = ["--no-progress", "--no-summary", "--no-color", "--config", resolve(CONFIG)];
  const { ok, output } = await deno([
    "run",
    "-A",
    script,
    "lint",
    ...options,
    ...(folder === undefined ? [] : ["--root", folder, "**/*.md"]),
  ]);
  return {
    ok,
    output: ok ? output : `${output}\nWords that are right: '${CONFIG}', below "words"\n`,
  };
}

if (import.meta.main) {
  const { ok, output } = await spellCheck();
  console.log(output);
  Deno.exit(ok ? 0 : 1);
}
