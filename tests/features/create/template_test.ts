import { assertEquals, assertFalse, assertMatch } from "@std/assert";
import { type RuntimeName, RUNTIMES } from "../../../src/features/create/choices.ts";
import { packageName, projectOf } from "../../../src/features/create/project.ts";
import manifest from "../../../jsr.json" with { type: "json" };
import { templateTexts } from "../../../tools/build_template.ts";

Deno.test("template.json + is what 'deno task template' writes", async () => {
  assertEquals(await Deno.readTextFile("src/features/create/template.json"), await templateTexts());
});

for (const runtime of RUNTIMES) {
  Deno.test(`projectOf + has every word filled in, and this version: ${runtime}`, () => {
    const { files } = defaultOf("My App", runtime);
    for (const [path, text] of files) assertFalse(text.includes("{{"), path);
    assertMatch(files.get("AGENTS.md")!, /never edited: `[^`]*\birori\S* new <name>` makes/);
    const library = runtime === "deno" ? "@irori/irori" : "irori";
    const declared = runtime === "deno"
      ? JSON.parse(files.get("deno.json")!).imports[library]
      : JSON.parse(files.get("package.json")!).dependencies[library];
    const range = `^${manifest.version}`;
    assertEquals(declared, runtime === "deno" ? `jsr:@irori/irori@${range}` : range);
    assertEquals(
      files.get("src/main.ts")!.split("\n")[0],
      `import { bootstrap } from "${library}";`,
    );
  });
}

Deno.test("projectOf + has settings for editors that name the schemas of this version", () => {
  const urlsOf = (...args: Parameters<typeof defaultOf>) => {
    const settings = JSON.parse(defaultOf(...args).files.get(".vscode/settings.json")!);
    return settings["json.schemas"].map(({ url }: { readonly url: string }) => url);
  };
  const role = "role.schema.json";
  assertEquals(urlsOf("a", "node").includes(`./node_modules/irori/schemas/${role}`), true);
  assertEquals(urlsOf("a", "bun"), urlsOf("a", "node"));
  const published = `https://jsr.io/@irori/irori/${manifest.version}/schemas/${role}`;
  assertEquals(urlsOf("a", "deno").includes(published), true);
  const installed = `./node_modules/@irori/irori/schemas/${role}`;
  assertEquals(urlsOf("a", "deno", "/irori-0.1.0.tgz").includes(installed), true);
});

for (const runtime of RUNTIMES) {
  Deno.test(`.env.example + overrides no variable of the image: ${runtime}`, () => {
    const { files } = defaultOf("a", runtime);
    const [, variables = ""] = /^ENV (.+)$/m.exec(files.get("Dockerfile")!) ?? [];
    const ofImage = variables.split(" ").map((pair) => pair.split("=")[0]);
    assertEquals(ofImage.slice(-1), ["DATABASE_FILE"]);
    const own = [...files.get(".env.example")!.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    assertEquals(own.filter((name) => ofImage.includes(name)), []);
  });
}

Deno.test("projectOf + lets no answer abort the signal of its request on Deno", () => {
  const { unstable } = JSON.parse(defaultOf("a", "deno").files.get("deno.json")!);
  assertEquals(unstable, ["no-legacy-abort"]);
});

Deno.test("projectOf + names a project of Docker Compose by a string, for a folder of digits, too", () => {
  const { files } = projectOf("2048", { runtime: "node", database: "postgres", parts: [] });
  assertMatch(files.get("compose.yaml")!, /^name: "2048"$/m);
});

Deno.test("projectOf + applies no migration while it is being written", () => {
  for (const runtime of RUNTIMES) {
    const { files } = defaultOf("a", runtime);
    const { scripts, tasks } = JSON.parse(files.get("deno.json") ?? files.get("package.json")!);
    const { dev } = scripts ?? tasks;
    assertMatch(dev, /watch/);
    assertFalse(dev.includes("migrations"), dev);
  }
});

Deno.test("packageName + is what npm and Docker take", () => {
  const names = ["My App", "users", "_v2.0_", "日本"];
  assertEquals(names.map(packageName), ["my-app", "users", "v2-0", "app"]);
});

Deno.test("projectOf + has npm copy a folder, whose imports it would look for beside it", () => {
  const npmrcOf = (from: string) => defaultOf("a", "node", from).files.get(".npmrc");
  assertEquals(npmrcOf("/packages/irori"), "install-links=true\n");
  assertEquals(npmrcOf("/packages/irori-0.1.0.tgz"), undefined);
});

function defaultOf(name: string, runtime: RuntimeName, from?: string) {
  return projectOf(name, { runtime, database: "sqlite", parts: [], from });
}
