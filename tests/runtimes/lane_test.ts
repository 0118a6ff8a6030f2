/** Random raw requests, answered on the lane and in the ordinary way. */
import { assertEquals, assertLess } from "@std/assert";
import { depth } from "../long/mod.ts";
import { bun, type Command, DENO, node, run } from "./executables.ts";
import { APP, Project } from "./project.ts";

const COUNT = depth(500, 2000, 20_000);
const SEED = 20_261_123;

const project = Project.fromTarball("hono@4", "js-yaml@4").then(async (made) => {
  await made.addBundle(`${APP}/compared.ts`, "compared.mjs");
  return made;
});

Deno.test.afterAll(async () => await (await project)[Symbol.asyncDispose]());

test("Deno", () => DENO);
test("Node 22", () => node(22));
test("Node 24", () => node(24));
test("Bun", bun);

function test(name: string, command: () => Command | Promise<Command>): void {
  Deno.test({
    name: `${name} + answers random requests on the lane as in the ordinary way`,
    // What is built once outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const made = await project;
      const script = [...await command(), made.file("compared.mjs"), String(SEED), String(COUNT)];
      const { different, ordinary } = JSON.parse(await run(script, { cwd: "." }));
      assertEquals(different, []);
      const [withLane, without] = ordinary;
      assertLess(withLane, without * 0.8);
    },
  });
}
