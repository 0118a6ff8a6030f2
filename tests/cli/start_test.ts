import { assertEquals } from "@std/assert";
import { loadedWith } from "./loaded.ts";

const CLI = new URL("../../cli.ts", import.meta.url);

Deno.test("cli.ts + loads no package before it knows the command", async () => {
  const loaded = await loadedWith(CLI);
  assertEquals(loaded.filter((specifier) => !specifier.includes("/src/")), [CLI.href]);
});

Deno.test("migrations of search clusters + load nothing that signs before a connection says so", async () => {
  const loaded = await loadedWith(new URL("../../src/migrations/search/mod.ts", import.meta.url));
  assertEquals(loaded.some((specifier) => specifier.endsWith("/search/target.ts")), true);
  assertEquals(loaded.filter((specifier) => /\/(?:sign|aws\w*)\.ts$|aws4/.test(specifier)), []);
});
