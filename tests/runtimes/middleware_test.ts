/** The contract of middleware on real Node and Bun, where `tests/web` has it on Deno. */
import { assertEquals, assertGreater } from "@std/assert";
import type { MiddlewareOutcome } from "../contracts/middleware_contract.ts";
import { bun, type Command, node, run } from "./executables.ts";
import { Project, testsOn } from "./project.ts";

const project = Project.equipped().then(async (made) => {
  await made.addBundle("tests/runtimes/middleware_child.ts", "middleware.mjs");
  return made;
});
const test = testsOn("middleware", project);
const RUNTIMES: Readonly<Record<string, () => Promise<Command>>> = {
  "Node 22": () => node(22),
  "Node 24": () => node(24),
  Bun: bun,
};

for (const [name, command] of Object.entries(RUNTIMES)) {
  test(`sees and changes on ${name} what it does in Hono`, async (made) => {
    const output = await run([...await command(), made.file("middleware.mjs")], { cwd: made.path });
    const outcomes: readonly MiddlewareOutcome[] = JSON.parse(output);
    assertGreater(outcomes.length, 1900);
    for (const { name, hono, found } of outcomes) assertEquals(found, hono, name);
  });
}
