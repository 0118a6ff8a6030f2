/** The documentation page from the packed tarball, without and with the package that it is made of. */
import { assert, assertEquals } from "@std/assert";
import { npmInstall } from "../../tools/_npm.ts";
import { SWAGGER_UI } from "../../src/features/openapi/swagger_ui.ts";
import { bun, type Command, DENO, node } from "./executables.ts";
import { Project } from "./project.ts";
import { serving } from "./serving.ts";

const SCRIPT = "documented.mjs";
const RUNTIMES: Readonly<Record<string, () => Command | Promise<Command>>> = {
  "Node 22": () => node(22),
  "Node 24": () => node(24),
  Bun: bun,
  "Deno + npm package": () => DENO,
};

Deno.test({
  name: "swaggerUi() + on Node, Bun and Deno says what to install, then serves the page",
  // esbuild's own process goes on for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    await using project = await Project.equipped();
    const app = await Deno.readTextFile(new URL(`app/${SCRIPT}`, import.meta.url));
    await project.write(SCRIPT, app.replaceAll('"@irori/irori', '"irori'));
    const { name, range } = SWAGGER_UI;
    for (const [runtime, command] of Object.entries(RUNTIMES)) {
      await t.step(`${runtime}, without the package`, async () => {
        await using server = await serving([...await command(), SCRIPT], project.path, 1);
        const response = await fetch(`${server.urls[0]}/docs`);
        assertEquals([response.status, await response.text()], [
          503,
          `Cannot find the package '${name}': install it with 'npm install ${name}@${range}'`,
        ]);
        const document = await fetch(`${server.urls[0]}/openapi.json`);
        assertEquals((await document.json()).openapi, "3.1.0");
      });
    }
    await npmInstall(project.path, [`${name}@${range}`]);
    for (const [runtime, command] of Object.entries(RUNTIMES)) {
      await t.step(`${runtime}, with the package`, async () => {
        await using server = await serving([...await command(), SCRIPT], project.path, 1);
        const page = await fetch(`${server.urls[0]}/docs`);
        assert((await page.text()).includes("swagger-ui-bundle.js"));
        const script = await fetch(`${server.urls[0]}/docs/swagger-ui-bundle.js`);
        assertEquals(
          await script.bytes(),
          await Deno.readFile(project.file(`node_modules/${name}/swagger-ui-bundle.js`)),
        );
      });
    }
  },
});
