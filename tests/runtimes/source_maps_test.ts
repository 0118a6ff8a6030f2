/** Stack traces of the npm package, on Node. */
import { assertMatch, assertStringIncludes } from "@std/assert";
import { node, run } from "./executables.ts";
import { Project, testsOn } from "./project.ts";

const project = Project.fromTarball("hono@4").then(async (made) => {
  await made.write(
    "fails.mjs",
    `import { bootstrap } from "irori";
try {
  await bootstrap({ config: { server: { "idle-timeout": "soon" } } });
} catch (error) {
  console.log(error.stack);
}
`,
  );
  return made;
});
const test = testsOn("source maps", project);

for (const major of [22, 24] as const) {
  test(`Node ${major} names the lines of the TypeScript sources`, async ({ path }) => {
    const line = [...await node(major), "--enable-source-maps", "fails.mjs"];
    const stack = await run(line, { cwd: path });
    assertMatch(stack, /^ConfigError: 'server.idle-timeout'/);
    const frames = [
      ...stack.matchAll(/https:\/\/jsr\.io\/@irori\/irori\/[\d.]+\/(\S+\.ts):(\d+):/g),
    ];
    const [thrown] = await Promise.all(frames.map(async ([, file = "", line]) => {
      const text = await Deno.readTextFile(file);
      return text.split("\n")[Number(line) - 1] ?? "";
    }));
    assertStringIncludes(thrown ?? stack, "new ConfigError(");
  });
}
