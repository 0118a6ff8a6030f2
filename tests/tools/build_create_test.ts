import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import jsr from "../../jsr.json" with { type: "json" };
import { buildCreate } from "../../tools/build_create.ts";

Deno.test({
  name:
    "buildCreate + packs one program, which needs nothing and does not contain the path of its build",
  // esbuild's own process goes on for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "irori-create-" });
    try {
      const tarball = await buildCreate(folder);
      const { stdout } = await new Deno.Command("tar", { args: ["-tzf", tarball] }).output();
      const files = new TextDecoder().decode(stdout).trim().split("\n").sort();
      const names = ["LICENSE", "README.md", "create.js", "package.json"];
      assertEquals(files, names.map((name) => `package/${name}`));
      const read = (name: string) => Deno.readTextFile(join(folder, "create-irori", name));
      const { name, version, bin, dependencies } = JSON.parse(await read("package.json"));
      assertEquals([name, version, dependencies], ["create-irori", jsr.version, undefined]);
      assertEquals(bin, { "create-irori": "./create.js" });
      const program = await read("create.js");
      assertMatch(program, /^#!\/usr\/bin\/env node\n/);
      assert(!program.includes(Deno.cwd()) && !program.includes("file:///"));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
