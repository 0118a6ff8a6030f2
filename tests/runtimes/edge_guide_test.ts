/** The worker of the guide with bindings, background work and a schedule, on Miniflare. */
import { assertEquals } from "@std/assert";
import { toFileUrl } from "@std/path";
import { buildTools, edgeTools, node, run } from "./executables.ts";
import { takeGuide } from "./guide.ts";
import { peers, Project } from "./project.ts";

const DRIVE = `
const { Miniflare } = await import(process.argv[2]);
const miniflare = new Miniflare({
  modules: true,
  scriptPath: "dist/worker.js",
  compatibilityDate: "2025-09-01",
  host: "127.0.0.1",
  port: 0,
  cf: false,
  d1Databases: ["DB"],
  kvNamespaces: ["PAGES"],
});
const database = await miniflare.getD1Database("DB");
await database.exec("CREATE TABLE visits (page TEXT)");
const pages = await miniflare.getKVNamespace("PAGES");
await pages.put("title", "Pages");
await pages.put("home", "Welcome");
const visits = async () => (await database.prepare("SELECT * FROM visits").all()).results.length;
const answers = [];
for (let count = 1; count <= 2; count++) {
  answers.push(await (await miniflare.dispatchFetch("http://x/pages/home")).json());
  while (await visits() < count); // Comes after the answer.
}
await (await miniflare.getWorker()).scheduled();
console.log(JSON.stringify([...answers, await visits()]));
await miniflare.dispose();
`;

Deno.test({
  name: "the edge guide + its worker uses D1, KV, waitUntil, a bean with I/O and a schedule",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using project = await Project.fromTarball("hono@4", ...peers("@babel/parser"));
    const guide = await takeGuide("edge.md", project);
    await project.write("config/application.yml", "component-scan: ./src\n");
    await project.write("drive.mjs", DRIVE);
    const options = { cwd: project.path };
    await run([...await node(24), "node_modules/irori/bin.js", "scan"], options);
    const [, bundling = ""] = /^npx (esbuild [^]*?)^```$/m.exec(guide) ?? [];
    const [esbuild = "", ...rest] = bundling.replaceAll("\\\n", "").trim().split(/\s+/);
    await run([`${await buildTools()}/node_modules/.bin/${esbuild}`, ...rest], options);
    const module = toFileUrl(`${await edgeTools()}/node_modules/miniflare/dist/src/index.js`).href;
    const printed = await run(
      ["timeout", "60", ...await node(24), "drive.mjs", module],
      options,
    );
    const page = { title: "Pages", text: "Welcome" };
    assertEquals(JSON.parse(printed), [{ ...page, visits: 0 }, { ...page, visits: 1 }, 0]);
  },
});
