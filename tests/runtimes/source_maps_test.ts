/** Stack traces of the npm package. */
import { assert, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { type Command, DENO, node, run } from "./executables.ts";
import { Project, testsOn } from "./project.ts";

const FILES = {
  "fails.mjs": `import { inject } from "irori";
try {
  inject(class {});
} catch (error) {
  console.log(error.stack);
}
`,
  "starts.mjs": `import { bootstrap } from "irori";
await bootstrap({ config: { server: { "idle-timeout": "soon" } } });
`,
};

const project = Project.equipped().then(async (made) => {
  for (const [name, text] of Object.entries(FILES)) await made.write(name, text);
  return made;
});
const test = testsOn("source maps", project);

for (const major of [22, 24] as const) {
  test(`Node ${major} names the lines of the TypeScript sources`, async ({ path }) => {
    const line = [...await node(major), "--enable-source-maps", "fails.mjs"];
    const stack = await run(line, { cwd: path });
    assertMatch(stack, /^InjectionError: /);
    const frames = [
      ...stack.matchAll(/npm:irori@[\d.]+\/(\S+\.ts):(\d+):/g),
    ];
    const [thrown] = await Promise.all(frames.map(async ([, file = "", line]) => {
      const text = await Deno.readTextFile(file);
      return text.split("\n")[Number(line) - 1] ?? "";
    }));
    assertStringIncludes(thrown ?? stack, "new InjectionError(");
  });
}

const RUNTIMES: Readonly<Record<string, () => Command | Promise<Command>>> = {
  "Node 22": () => node(22),
  "Node 24": () => node(24),
  "Deno": () => DENO,
};

for (const [runtime, command] of Object.entries(RUNTIMES)) {
  test(`${runtime} prints a wrong setting without frames of the library`, async ({ path }) => {
    const line = [...await command(), "starts.mjs"];
    const { message } = await assertRejects(() => run(line, { cwd: path }), Error);
    assertStringIncludes(message, "ConfigError: 'server.idle-timeout': ");
    assert(!/^\s+at /m.test(message), message);
  });
}
