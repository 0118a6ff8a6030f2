import { assert, assertEquals, assertMatch } from "@std/assert";
import { walk } from "@std/fs/walk";
import { join, relative } from "@std/path";
import jsr from "../../jsr.json" with { type: "json" };
import { buildNpm } from "../../tools/build_npm.ts";
import { moduleOf } from "../architecture/module.ts";

const folder = await Deno.makeTempDir({ prefix: "irori-npm-" });
/** Built once, when the first test asks for it. */
let built: Promise<string> | undefined;

const test = (name: string, fn: (root: string, tarball: string) => Promise<void>) =>
  // esbuild's own process goes on for a moment.
  Deno.test({
    name: `buildNpm + ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const tarball = await (built ??= buildNpm(folder));
      await fn(join(folder, "npm"), tarball);
    },
  });

Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));

test("packs the package and nothing else", async (root, tarball) => {
  const { stdout } = await new Deno.Command("tar", { args: ["-tzf", tarball] }).output();
  const files = new TextDecoder().decode(stdout).trim().split("\n");
  const known = [
    /^(?:mod|cli)\.(?:js|d\.ts)$/,
    /^src\/[\w/]+\.d\.ts$/,
    /^chunks\/\w+-[A-Z0-9]+\.js(?:\.map)?$/,
    /^(?:bin|configured|files|left_out|parts|settings|small_hono|runtime|runtime_errors|server|no_runtime)\.js(?:\.map)?$/,
    /^schemas\/[\w-]+\.schema\.json$/,
    /^(?:README\.md|LICENSE|CHANGELOG\.md|package\.json|THIRD_PARTY\.md)$/,
  ];
  const entries = Object.values(jsr.exports).map((path) => join(path).replace(/ts$/, "js"));
  for (const file of files) {
    const path = file.replace(/^package\//, "");
    assert(
      entries.includes(path.replace(/\.map$/, "")) || known.some((pattern) => pattern.test(path)),
      `'${path}' is no part of the package`,
    );
  }
  assertEquals(files.length, (await textsOf(root)).size);
});

test("keeps what a configuration needs apart from applications", async (root) => {
  const texts = await textsOf(root);
  const reached = new Set(["settings.js"]);
  for (const path of reached) {
    for (const { specifier = "", isLoadedAtOnce } of moduleOf(texts.get(path)!).imports) {
      assertEquals(/^hono(?:\/|$)|^#parts_/.test(specifier), false, `${path}: ${specifier}`);
      if (isLoadedAtOnce && specifier.startsWith(".")) reached.add(join(path, "..", specifier));
    }
  }
});

test("declares what is imported, and points to what is there", async (root) => {
  const texts = await textsOf(root);
  const { dependencies, peerDependencies, exports, bin } = JSON.parse(
    texts.get("package.json") ?? "",
  );
  const imported = new Set<string>();
  for (const [path, text] of texts) {
    if (!/\.(?:js|ts)$/.test(path)) continue;
    const { imports, hasDecorators } = moduleOf(text.replace(/^#!.*/, ""));
    assertEquals(hasDecorators, false, path);
    for (const { specifier, isLoadedAtOnce } of imports) {
      if (specifier === undefined || specifier.startsWith("#")) continue;
      if (specifier.startsWith(".")) {
        const target = join(path, "..", specifier);
        const file = path.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target;
        assert(texts.has(file), `'${path}' imports '${specifier}', which is missing`);
      } else if (specifier.startsWith("node:")) {
        assert(!isLoadedAtOnce || path.endsWith(".d.ts"), `'${path}' imports '${specifier}'`);
      } else imported.add(specifier.replace(/^((?:@[^/]+\/)?[^/]+).*/, "$1"));
    }
  }
  const peers = Object.keys(peerDependencies).filter((name) => imported.has(name));
  assertEquals([...Object.keys(dependencies), ...peers].sort(), [...imported].sort());
  // That one is a package of its own.
  const names = Object.keys(jsr.exports).filter((name) => name !== "./create");
  assertEquals(Object.keys(exports), [...names, "./package.json"]);
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target as Record<string, string>)
  );
  for (const target of [...targets, bin.irori]) assert(texts.has(join(target)), target);
});

test("has the code of small packages in it, with their licences, and asks for no other of the command line", async (root) => {
  const texts = await textsOf(root);
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    texts.get("package.json") ?? "",
  );
  assertEquals(Object.keys(dependencies), ["@hono/node-server", "@standard-schema/spec"]);
  assertEquals(peerDependencies.hono, ">=4.8 <5");
  const required = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]);
  assertEquals(required, ["hono"]);
  const licences = texts.get("THIRD_PARTY.md") ?? "";
  assertEquals(licences.match(/^# \S+/gm), [
    "# diff",
    "# js-yaml",
    "# jsonc-parser",
    "# smol-toml",
  ]);
  assertEquals(licences.match(/^Copyright/gm)?.length, 4);
});

test("names itself as users of npm import it", async (root) => {
  const texts = await textsOf(root);
  const modules = [...texts].filter(([path]) => /\.(?:js|ts)$/.test(path));
  const wrong = modules.filter(([, text]) => /(?<!jsr:)@irori\/irori/.test(text));
  assertEquals(wrong.map(([path]) => path), []);
  const messages = modules.map(([, text]) => text).join("\n");
  assert(messages.includes("expected security() of 'irori/security' among the extensions"));
});

test("has links that work where there is no repository", async (root) => {
  const texts = await textsOf(root);
  const documents = ["README.md", "CHANGELOG.md"].map((name) => texts.get(name)).join("\n");
  const targets = [...documents.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  assert(targets.length > 10);
  for (const target of targets) assertMatch(target, /^https:\/\//);
  const { homepage, repository } = JSON.parse(texts.get("package.json") ?? "");
  assertMatch(homepage, /^https:.*#readme$/);
  assertEquals(repository.type, "git");
});

test("does not contain the path of its build", async (root) => {
  const texts = await textsOf(root);
  assert(texts.size > 20, `${texts.size}`);
  for (const [path, text] of texts) {
    assert(!/file:\/\/\/|^\/\/ (?:\.\.)?\//m.test(text) && !text.includes(Deno.cwd()), path);
  }
  assertMatch(await Deno.readTextFile(join(root, "bin.js")), /^#!\/usr\/bin\/env node\n/);
});

async function textsOf(root: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for await (const { path } of walk(root, { includeDirs: false })) {
    texts.set(relative(root, path), await Deno.readTextFile(path));
  }
  return texts;
}
