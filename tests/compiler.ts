import { assert } from "@std/assert";
import { fromFileUrl } from "@std/path";

/** Type checks a file of tests, which `deno test --no-check` does not: a `@ts-expect-error` has to hold an error. */
export async function assertCompiles(url: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", fromFileUrl(url)],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}
