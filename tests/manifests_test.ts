import { assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import { fromFileUrl } from "@std/path";
import deno from "../deno.json" with { type: "json" };
import jsr from "../jsr.json" with { type: "json" };
import { VERSION } from "../src/cli/version.ts";

const ROOT = fromFileUrl(new URL("..", import.meta.url));

Deno.test("deno.json and jsr.json say the same", () => {
  for (const key of ["name", "version", "license", "exports"] as const) {
    assertEquals(jsr[key], deno[key], key);
  }
  const development: Record<string, string> = deno.imports;
  for (const [name, target] of Object.entries(jsr.imports)) {
    assertEquals(development[name], target, name);
  }
  assertEquals("links" in jsr, false);
});

Deno.test("the command line knows the version of the manifests", () => {
  assertEquals(VERSION, deno.version);
});

Deno.test("jsr.json imports exactly what the published modules import", async () => {
  const used = new Set<string>();
  const files = [`${ROOT}mod.ts`, `${ROOT}cli.ts`];
  for await (const { path } of walk(`${ROOT}src`, { includeDirs: false })) files.push(path);
  for (const path of files) {
    const code = (await Deno.readTextFile(path)).replace(/\/\*[^]*?\*\//g, "");
    for (
      const [, name] of code.matchAll(
        /(?:from|import\(|import) ?"((?:@[\w-]+\/)?[a-z][\w-]*)[^"]*"/g,
      )
    ) {
      if (name !== "node") used.add(name!);
    }
  }
  assertEquals([...used].sort(), Object.keys(jsr.imports).sort());
});

Deno.test("versions are pinned by caret", () => {
  for (const [name, target] of Object.entries({ ...deno.imports, ...jsr.imports })) {
    assertEquals(/^(?:npm|jsr):.*@\^\d|^\.\//.test(target), true, `${name} ${target}`);
  }
});
