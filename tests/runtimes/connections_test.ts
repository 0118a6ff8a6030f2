/** The contract of SQL dialects over clients that only other runtimes than Deno have. */
import { assertEquals, assertGreater } from "@std/assert";
import { join } from "@std/path";
import type { ContractOutcome } from "../migrations/sql/contract_child.ts";
import { postgresqlMissing } from "../migrations/sql/postgresql_support.ts";
import { bun, type Command, edgeTools, node, run } from "./executables.ts";
import { Project } from "./project.ts";

const project = (async () => {
  // The set that databases_test.ts installs, too.
  const made = await Project.fromTarball(
    ...["pg@8", "mysql2@3", "libpg-query@18"],
    ...["@electric-sql/pglite@0.5.8", "@electric-sql/pglite-tools@0.4.8"],
  );
  await made.addBundle("tests/migrations/sql/contract_child.ts", "child.mjs", {
    // The contract needs no feature, and features need packages.
    "tests/features/all.ts":
      `export { NO_FEATURES as FEATURES } from "../../src/migrations/runner/mod.ts";`,
  });
  // The supports of the tests import packages as Deno does.
  const text = await Deno.readTextFile(made.file("child.mjs"));
  await made.write("child.mjs", text.replace(/"npm:((?:@[^/"]+\/)?[^@/"]+)@[^/"]*/g, '"$1'));
  return made;
})();

test("PostgreSQL by Bun.SQL", bun, undefined, postgresqlMissing);
test("SQLite by Bun.SQL", bun);
test("SQLite by D1", () => node(22), async () => {
  return [join(await edgeTools(), "node_modules/miniflare/dist/src/index.js")];
});

Deno.test.afterAll(async () => await (await project)[Symbol.asyncDispose]());

function test(
  name: string,
  command: () => Promise<Command>,
  more: () => Promise<readonly string[]> = () => Promise.resolve([]),
  missing?: string,
): void {
  Deno.test({
    name: `using + ${name} keeps the contract of its dialect`,
    ignore: missing !== undefined,
    // A build is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn(t) {
      const made = await project;
      const args = [made.file("child.mjs"), name, ...await more()];
      const output = await run([...await command(), ...args], { cwd: made.path });
      const outcomes: readonly ContractOutcome[] = JSON.parse(
        output.slice(output.lastIndexOf('[{"name"')),
      );
      assertGreater(outcomes.length, 20);
      for (const { name, failure } of outcomes) {
        await t.step(name, () => assertEquals(failure, undefined));
      }
    },
  });
}
