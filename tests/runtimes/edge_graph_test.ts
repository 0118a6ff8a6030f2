import { assertEquals } from "@std/assert";
import { build, stop } from "esbuild";
import { Graph } from "../../tools/_graph.ts";

Deno.test({
  name: "mod.ts + reaches nothing that an edge isolate does not have, when bundled for one",
  // esbuild's own process goes on for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const graph = await Graph.of(["mod.ts"]);
    const { metafile, outputFiles } = await build({
      entryPoints: ["mod.ts"],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "neutral",
      conditions: ["workerd", "worker", "browser"],
      plugins: [graph.plugin()],
    });
    await stop();
    const [output] = Object.values(metafile.outputs);
    const packages = new Set(
      output?.imports.map(({ path }) => path.replace(/^((?:@[^/]+\/)?[^/]+).*/, "$1")),
    );
    // The stand-in of @std/yaml has a package below it.
    packages.delete("js-yaml");
    assertEquals([...packages], ["hono"]);
    const rooms = Object.keys(metafile.inputs).map((path) => path.replace("deno:", "").split("/"));
    assertEquals(
      [...new Set(rooms.filter(([top]) => top === "src").map(([, room]) => room))].sort(),
      ["app", "config", "container", "http", "runtime", "web"],
    );
    assertEquals(/^\s*import\b[^(]*?"node:/m.test(outputFiles[0]?.text ?? ""), false);
  },
});
