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
      ["app", "config", "container", "http", "runtime", "text", "web"],
    );
    assertEquals(/^\s*import\b[^(]*?"node:/m.test(outputFiles[0]?.text ?? ""), false);
  },
});

Deno.test({
  name: "openApi() + carries nothing of the documentation page into a bundle",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    const bundled = async (names: string) => {
      const entry = `${folder}/worker.ts`;
      const door = new URL("../../src/openapi/mod.ts", import.meta.url).href;
      await Deno.writeTextFile(entry, `export { ${names} } from "${door}";`);
      const graph = await Graph.of([entry]);
      const { outputFiles } = await build({
        entryPoints: [entry],
        bundle: true,
        write: false,
        format: "esm",
        platform: "neutral",
        plugins: [graph.plugin()],
      });
      return outputFiles[0]?.text ?? "";
    };
    const trace = /\/docs|swagger|If-None-Match|Content-Security-Policy/i;
    assertEquals(trace.test(await bundled("openApi, swaggerUi")), true);
    assertEquals(trace.exec(await bundled("openApi"))?.[0], undefined);
    await stop();
    await Deno.remove(folder, { recursive: true });
  },
});
