/** Preloaded by `deno test`, registers tests without running them. */
import { definitionOf, replaceTest } from "./_definition.ts";

const { test } = Deno;

replaceTest((...given) => test({ ...definitionOf(given), ignore: true }));
