/** Preloaded by `deno test`, leaves out the tests that belong to `deno task test:all`. */
import { fromFileUrl, relative } from "@std/path";
import { definitionOf, replaceTest } from "./_definition.ts";
import { isOnlyInAll, ONLY_IN_ALL } from "./_only_in_all.ts";

const { test } = Deno;
const root = fromFileUrl(new URL("..", import.meta.url));
const path = relative(root, fromFileUrl(Deno.mainModule));

// Only where it is necessary: failures of a replaced function name this file.
if (ONLY_IN_ALL.some(({ file }) => file === path)) {
  replaceTest((...given) => {
    if (isOnlyInAll(path, definitionOf(given).name)) return;
    (test as (...given: unknown[]) => void)(...given);
  });
}
