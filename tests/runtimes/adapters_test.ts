/** The contracts of `src/runtime` on real Node and Bun, where `tests/runtime` has them on Deno. */
import { assertEquals, assertGreater } from "@std/assert";
import type { AdapterOutcome } from "./adapter_child.ts";
import { bun, type Command, node, run } from "./executables.ts";
import { Project } from "./project.ts";

const CHILD = "tests/runtimes/adapter_child.ts";
const project = Project.equipped().then(async (made) => {
  await made.addBundle(CHILD, "child.mjs");
  return made;
});

test("node", "Node 22", () => node(22));
test("node", "Node 24", () => node(24));
test("bun", "Bun", bun);

Deno.test.afterAll(async () => {
  await (await project)[Symbol.asyncDispose]();
});

function test(adapter: string, name: string, command: () => Promise<Command>): void {
  Deno.test({
    name: `${adapter}Runtime + on ${name} keeps its contracts`,
    // A build is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn(t) {
      const made = await project;
      const output = await run([...await command(), made.file("child.mjs")], { cwd: made.path });
      const [first, ...outcomes] = JSON.parse(
        output.slice(output.lastIndexOf('[{"name"')),
      ) as readonly AdapterOutcome[];
      assertEquals(first?.name, adapter);
      assertGreater(outcomes.length, 20);
      for (const { name, failure } of outcomes) {
        await t.step(name, () => assertEquals(failure, undefined));
      }
    },
  });
}
