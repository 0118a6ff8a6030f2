import { assert } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { existsSync } from "node:fs";

/**
 * Files of tests of which the types are the test. One command checks them, whose result Deno keeps for the next one.
 * Those of a feature may be deleted with it.
 */
const TOGETHER = [
  "tests/container/types_test.ts",
  "tests/features/security/types_test.ts",
  "tests/features/transactions/types_test.ts",
  "tests/together/decorate_types_test.ts",
  "tests/types/returns_test.ts",
  "tests/types/web_test.ts",
].map((path) => new URL(`../${path}`, import.meta.url)).filter((url) => existsSync(url))
  .map(({ href }) => href);

/**
 * Type checks a file, which `deno test --no-check` does not: a `@ts-expect-error` has to hold an error. A file of tests
 * is one of {@linkcode TOGETHER}.
 */
export async function assertCompiles(url: string): Promise<void> {
  const urls = TOGETHER.includes(url) ? TOGETHER : [url];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", ...urls.map(fromFileUrl)],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}
