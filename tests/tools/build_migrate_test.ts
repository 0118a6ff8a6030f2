import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { walk } from "@std/fs/walk";
import { join, relative } from "@std/path";
import jsr from "../../jsr.json" with { type: "json" };
import { buildMigrate } from "../../tools/build_migrate.ts";
import { moduleOf } from "../architecture/module.ts";

Deno.test({
  name: "buildMigrate + packs the migrations without the web half, for users of its name",
  // esbuild's own process goes on for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    const folder = await Deno.makeTempDir({ prefix: "irori-migrate-" });
    try {
      const tarball = await buildMigrate(folder);
      const texts = new Map<string, string>();
      for await (const { path } of walk(join(folder, "irori-migrate"), { includeDirs: false })) {
        const name = relative(join(folder, "irori-migrate"), path);
        texts.set(name, await Deno.readTextFile(path));
      }
      const manifest = JSON.parse(texts.get("package.json") ?? "");
      await t.step("files", async () => {
        const { stdout } = await new Deno.Command("tar", { args: ["-tzf", tarball] }).output();
        const files = new TextDecoder().decode(stdout).trim().split("\n");
        assertEquals(files.length, texts.size);
        const known =
          /^(?:(?:bin|mod)\.js(?:\.map)?|src\/[\w/]+\.d\.ts|chunks\/[\w-]+\.js(?:\.map)?|schemas\/[\w-]+\.schema\.json|README\.md|LICENSE|THIRD_PARTY\.md|package\.json)$/;
        assertEquals([...texts.keys()].filter((name) => !known.test(name)), []);
        assertLess((await Deno.stat(tarball)).size, 700_000);
      });
      await t.step("dependencies", () => {
        assertEquals(manifest.name, "irori-migrate");
        assertEquals(manifest.version, jsr.version);
        assertEquals(Object.keys(manifest.dependencies), ["@standard-schema/spec"]);
        const peers = Object.keys(manifest.peerDependencies);
        assertEquals(peers.filter((name) => !manifest.peerDependenciesMeta[name].optional), []);
        for (const [path, text] of texts) {
          if (!/\.(?:js|ts)$/.test(path)) continue;
          for (const { specifier } of moduleOf(text.replace(/^#!.*/, "")).imports) {
            if (specifier === undefined || /^(?:\.|#|node:)/.test(specifier)) continue;
            const name = specifier.replace(/^((?:@[^/]+\/)?[^/]+).*/, "$1");
            assert([...peers, "@standard-schema/spec"].includes(name), `${path}: ${specifier}`);
          }
        }
      });
      await t.step("no web half", () => {
        const code = [...texts].filter(([path]) => /^(?:bin|mod|chunks|src)\b/.test(path));
        const found = code.filter(([path, text]) =>
          /\bhono\b/.test(text) || /^src\/(?:web|app|http|container)\//.test(path)
        );
        assertEquals(found.map(([path]) => path), []);
      });
      await t.step("names and paths", () => {
        for (const [path, text] of texts) {
          if (path.startsWith("schemas/")) continue;
          assert(!text.includes("@irori/irori") && !text.includes(Deno.cwd()), path);
          assert(!/file:\/\/\/|^\/\/ (?:\.\.)?\//m.test(text), path);
          // The mark of files that 'irori types' writes is the same in both packages.
          const named = text.replaceAll("Written by 'irori types'", "");
          assert(!/(?:\$ |npx |')irori [a-z]/.test(named), path);
        }
        assertMatch(texts.get("bin.js") ?? "", /^#!\/usr\/bin\/env node\n/);
        assert([...texts.values()].some((text) => text.includes("$ irori-migrate status")));
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
