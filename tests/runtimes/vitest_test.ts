/** The project that the guide describes, on Vitest from npm. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { buildTools, node, run } from "./executables.ts";
import { takeGuide } from "./guide.ts";
import { Project } from "./project.ts";

const GUIDE = fromFileUrl(new URL("../../docs/guide/testing.md", import.meta.url));
const COMMAND = /^npm install (?:--save-dev )?(.+)$/gm;

Deno.test({
  name: "irori/vite + the guide's project passes on Vitest, and not without the plugin",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const guide = await Deno.readTextFile(GUIDE);
    const [, start] = guide.split("## Vitest and Vite");
    const packages = [...(start ?? "").matchAll(COMMAND)].flatMap(([, names = ""]) =>
      names.split(" ")
    )
      .filter((name) => name !== "irori"); // It comes from the tarball.
    assertEquals(packages, ["hono", "vitest", "esbuild"]);
    await using project = await Project.fromTarball(...packages, "@types/node@22");
    await takeGuide("testing.md", project);
    const command = [...await node(24), "node_modules/vitest/vitest.mjs", "run", "tests/vitest"];
    const vitest = async (...args: string[]) =>
      await run([...command, ...args], { cwd: project.path, env: { NO_COLOR: "1" } });

    assertMatch(await vitest(), /Tests +1 passed/);
    await checkTypes(project);
    await project.write("without.config.ts", "export default {};\n");
    await assertRejects(() => vitest("--config", "without.config.ts"), Error, "token");
    await Deno.remove(project.file("node_modules/esbuild"), { recursive: true });
    await assertRejects(() => vitest(), Error, "npm install esbuild@");
  },
});

/** The plugin is one for Vitest's compiler of types, too. */
async function checkTypes(project: Project): Promise<void> {
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  const lib = [
    "--lib",
    "esnext,dom,dom.iterable,dom.asynciterable",
    "--skipLibCheck",
    "--allowImportingTsExtensions",
  ];
  await run(
    [...await node(24), `${await buildTools()}/node_modules/typescript/bin/tsc`]
      .concat(options, lib, "vitest.config.ts", "tests/vitest/weather.test.ts"),
    { cwd: project.path },
  );
}
