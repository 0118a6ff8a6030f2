import { assertEquals } from "@std/assert";
import { build, stop } from "esbuild";
import { Project as Measured } from "../../benches/edge/project.ts";
import { bundleSizes } from "../../benches/edge/size.ts";
import { isKept } from "../../benches/web/report.ts";
import { Graph } from "../../tools/_graph.ts";
import { Project } from "./project.ts";

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
      ["app", "config", "container", "features", "http", "runtime", "schema", "text", "web"],
    );
    assertEquals(/^\s*import\b[^(]*?"node:/m.test(outputFiles[0]?.text ?? ""), false);
  },
});

Deno.test({
  name: "./edge + carries nothing of files, listening and runtimes, whatever the conditions",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    const entry = `${folder}/worker.ts`;
    const urlOf = (path: string) => new URL(`../../${path}`, import.meta.url).href;
    await Deno.writeTextFile(
      entry,
      `export { RestController } from "${urlOf("mod.ts")}"; export { bootstrap } from "${
        urlOf("src/app/edge.ts")
      }";`,
    );
    const graph = await Graph.of([entry]);
    const { metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "neutral",
      conditions: ["node"],
      plugins: [graph.plugin()],
    });
    await stop();
    await Deno.remove(folder, { recursive: true });
    const [output] = Object.values(metafile.outputs);
    const paths = Object.entries(output?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path.replace(/^deno:/, ""));
    const ofTheProcess =
      /^src\/runtime\/(?!mod|web|_supported|shared\/(?:has_body|responses|async_context|peer|read_bytes|upgraded|within))|^links\/|\/(?:server|files|scan|load|_yaml)\.ts$/;
    assertEquals(paths.filter((path) => ofTheProcess.test(path)), []);
    assertEquals(paths.includes("src/app/application.ts"), true);
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
      const door = new URL("../../src/features/contract/mod.ts", import.meta.url).href;
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
    const trace = /\/docs|swagger|Content-Security-Policy/i;
    assertEquals(trace.test(await bundled("openApi, swaggerUi")), true);
    assertEquals(trace.exec(await bundled("openApi"))?.[0], undefined);
    await stop();
    await Deno.remove(folder, { recursive: true });
  },
});

/** The conditions by which bundlers resolve imports, and whether the platform has files and sockets. */
const CONDITIONS: Readonly<Record<string, boolean>> = {
  "": false,
  "workerd,worker,browser": false,
  "workerd,node": false, // With `nodejs_compat`.
  "edge-light,worker,browser": false,
  netlify: false,
  fastly: false,
  browser: false,
  node: true,
  "bun,node": true,
  "deno,node": true,
};

Deno.test({
  name: "the npm package + is for isolates unless a bundler says that it is for Node, Bun or Deno",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using project = await Project.fromTarball("hono@4");
    await project.write("main.ts", 'export { bootstrap, RestController } from "irori";');
    const sizes = new Map<boolean, Set<number>>();
    for (const [conditions, isFull] of Object.entries(CONDITIONS)) {
      const { metafile } = await build({
        entryPoints: [project.file("main.ts")],
        absWorkingDir: project.path,
        bundle: true,
        write: false,
        metafile: true,
        format: "esm",
        platform: "neutral",
        mainFields: ["module", "main"],
        conditions: conditions === "" ? [] : conditions.split(","),
        external: ["node:*"],
      });
      const inputs = Object.keys(metafile.inputs);
      const has = (name: string) => inputs.some((path) => path.endsWith(`/${name}.js`));
      assertEquals(
        [has("server"), has("runtime"), has("files")],
        Array(3).fill(isFull),
        conditions,
      );
      assertEquals([has("no_runtime"), has("small_hono")], Array(2).fill(!isFull), conditions);
      const [output] = Object.values(metafile.outputs);
      sizes.set(isFull, (sizes.get(isFull) ?? new Set()).add(output?.bytes ?? 0));
    }
    await stop();
    assertEquals([sizes.get(false)?.size, sizes.get(true)?.size], [1, 1]);
  },
});

Deno.test({
  name: "one route on ./edge + is within the bound of its size beside plain Hono",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using project = await Measured.create();
    for (const figure of await bundleSizes(project)) {
      assertEquals(isKept(figure.value, figure.bound) ? "kept" : figure, "kept");
    }
  },
});
