import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join, relative } from "@std/path";
import { moduleOf } from "../../architecture/module.ts";

const ROOT = fromFileUrl(new URL("../../../src/migrations/sql/", import.meta.url));

/** The files of the folder that are loaded together with some of them. */
async function loadedWith(...entries: string[]): Promise<readonly string[]> {
  const seen = new Set<string>();
  const queue = entries.map((entry) => join(ROOT, entry));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path) || !path.startsWith(ROOT)) continue;
    seen.add(path);
    for (const { specifier, isLoadedAtOnce } of moduleOf(await Deno.readTextFile(path)).imports) {
      if (isLoadedAtOnce && specifier?.startsWith(".")) queue.push(join(path, "..", specifier));
    }
  }
  return [...seen].map((path) => relative(ROOT, path)).sort();
}

for (const dialect of ["sqlite", "postgresql", "mysql"]) {
  Deno.test(`an unchanged run on ${dialect} loads what connects and reads, nothing that takes SQL apart`, async () => {
    const loaded = await loadedWith("mod.ts", `engines/${dialect}/database.ts`);
    const others = ["sqlite", "postgresql", "mysql"].filter((other) => other !== dialect);
    const isTooMuch = (path: string) =>
      /^(syntax|lint|files|execute)\//.test(path) && path !== "files/quoting.ts" ||
      others.some((other) => path.includes(other)) && !path.endsWith("/engine.ts") ||
      path === `engines/${dialect}/dialect.ts`;
    assertEquals(loaded.filter(isTooMuch), []);
    assert(loaded.includes("journal/journal_table.ts"));
  });
}
