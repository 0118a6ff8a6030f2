/** The typed client of the packed package, on the runtimes other than Deno, which runs the same cases from the sources. */
import { assertEquals } from "@std/assert";
import { bun, type Command, run, tsx } from "./executables.ts";
import { Project, testsOn } from "./project.ts";

const project = Project.fromTarball().then(async (made) => {
  const cases = await Deno.readTextFile(new URL("../features/client/cases.ts", import.meta.url));
  await made.write(
    "cases.ts",
    cases.replaceAll("../../../src/features/client/mod.ts", "irori/client"),
  );
  await made.write("main.ts", MAIN);
  return made;
});

const MAIN = `import { CASES } from "./cases.ts";
for (const [name, run] of Object.entries(CASES)) {
  await run().catch((error) => console.log(name, error));
}
console.log("done");
`;

const test = testsOn("client()", project);
const RUNTIMES: Readonly<Record<string, () => Promise<Command>>> = {
  "Node 22": () => tsx(22),
  "Node 24": () => tsx(24),
  Bun: bun,
};

for (const [name, command] of Object.entries(RUNTIMES)) {
  test(`calls, repeats and streams on ${name}`, async (made) => {
    const line = ["timeout", "60", ...await command(), "main.ts"] as const;
    assertEquals(await run(line, { cwd: made.path }), "done\n");
  });
}
