import { assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import deno from "../deno.json" with { type: "json" };
import jsr from "../jsr.json" with { type: "json" };
import { VERSION } from "../src/cli/version.ts";
import { moduleOf } from "./architecture/module.ts";
import { publishedSources } from "./architecture/sources.ts";

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

Deno.test("jsr.json publishes the library and nothing of its development", () => {
  const documents = ["README.md", "LICENSE", "CHANGELOG.md"];
  assertEquals(jsr.publish.include, [
    ...["mod.ts", "cli.ts", "create.ts", "src", "schemas"],
    ...[...documents, "jsr.json"],
  ]);
});

Deno.test("the command line knows the version of the manifests", () => {
  assertEquals(VERSION, deno.version);
});

Deno.test("documents and examples name the package of this version", async () => {
  let named = 0;
  for (const folder of ["docs/guide", "examples"]) {
    for await (const { path } of walk(folder, { includeDirs: false })) {
      if (path.includes("node_modules") || !/\.(?:md|json)$/.test(path)) continue;
      const text = await Deno.readTextFile(path);
      for (const [name, version] of text.matchAll(/\birori(?:-|": "\^)(\d\S*?)(?:\.tgz|")/g)) {
        assertEquals(version, deno.version, `${path}: ${name}`);
        named++;
      }
    }
  }
  assertEquals(named > 3, true, `${named}`);
});

Deno.test("jsr.json imports exactly what the published modules import", async () => {
  const used = new Set<string>();
  for (const source of (await publishedSources()).values()) {
    for (const { specifier } of moduleOf(source).imports) {
      const [name] = /^(?:@[^/]+\/)?[^./:][^/:]*(?=\/|$)/.exec(specifier ?? "") ?? [];
      if (name !== undefined) used.add(name);
    }
  }
  assertEquals([...used].sort(), Object.keys(jsr.imports).sort());
});

Deno.test("guides import the library and zod by one name", async () => {
  let users = 0;
  for await (const { path } of walk("docs/guide", { includeDirs: false })) {
    const text = await Deno.readTextFile(path);
    assertEquals(/from "(?:jsr:|npm:zod)/.test(text), false, path);
    if (text.includes('from "@irori/irori"')) users++;
  }
  assertEquals(users > 10, true, `${users}`);
});

Deno.test("versions are pinned by caret", () => {
  for (const [name, target] of Object.entries({ ...deno.imports, ...jsr.imports })) {
    // A newer minor version does not see a provider that an older one has registered, so the oldest version serves
    // most.
    const range = name === "@opentelemetry/api" ? "~" : "^";
    const pinned = target.startsWith("./") || target.includes(`@${range}`);
    assertEquals(pinned && /^(?:npm|jsr):.*\d$|^\.\//.test(target), true, `${name} ${target}`);
  }
});
