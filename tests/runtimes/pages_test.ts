/** The code of the site's tabs for Node and Bun, run with what users get from npm. That for Deno is run by doc tests. */
import { assertEquals } from "@std/assert";
import { build, stop } from "esbuild";
import { variantsOf } from "../../docs/.vitepress/runtimes.ts";
import { blocksOfPages } from "../docs/pages.ts";
import { bun, type Command, node, run } from "./executables.ts";
import { Project } from "./project.ts";

const RUNTIMES: readonly (readonly [name: string, tab: string, command: () => Promise<Command>])[] =
  [
    ["Node 22", "Node", () => node(22)],
    ["Node 24", "Node", () => node(24)],
    ["Bun", "Bun", bun],
  ];

const blocks = (await blocksOfPages()).filter(({ language, isIgnored }) =>
  language === "ts" && !isIgnored
);

/** The files of a runtime's tab, compiled, by the places of their blocks. */
const project = Project.equipped().then(async (made) => {
  for (const tab of ["Node", "Bun"]) {
    const files: string[] = [];
    for (const { place, code } of blocks) {
      const variant = variantsOf("ts", code).find(({ runtime }) => runtime === tab);
      if (variant === undefined) continue;
      const file = `${tab}/${place.replaceAll(/[/:]/g, "-")}.ts`;
      await made.write(file, variant.code);
      files.push(file);
    }
    await build({
      entryPoints: files.map((file) => made.file(file)),
      outdir: made.file(`${tab}/compiled`),
      outExtension: { ".js": ".mjs" },
      format: "esm",
      target: "es2022",
    });
    const names = files.map((file) => file.replace(/^.*\/(.*)\.ts$/, "./compiled/$1.mjs"));
    await made.write(`${tab}/all.mjs`, ALL.replaceAll("FILES", JSON.stringify(names)));
  }
  await stop();
  return made;
});

/** One after the other, in one process. */
const ALL = `const failed = [];
const log = console.log;
console.log = console.info = console.warn = console.error = () => {};
for (const file of FILES) await import(file).catch((error) => failed.push([file, String(error)]));
log(JSON.stringify({ count: FILES.length, failed }));
process.exit();
`;

for (const [name, tab, command] of RUNTIMES) {
  Deno.test({
    name: `blocks of pages + run on ${name}, as its tab has them`,
    // A build is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const { path } = await project;
      const output = await run([...await command(), `${tab}/all.mjs`], { cwd: path });
      const { count, failed } = JSON.parse(output.trim().split("\n").at(-1)!);
      assertEquals(failed, []);
      assertEquals(count > 50, true);
    },
  });
}

Deno.test.afterAll(async () => {
  await (await project)[Symbol.asyncDispose]();
});
