/** `verify(app)` as a project from npm runs it, under the test runner of its runtime. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { npmInstall } from "../../tools/_npm.ts";
import { bun, type Command, run, tsx } from "./executables.ts";
import { peers, Project } from "./project.ts";

const APP = `
import { bootstrap, GetMapping, HttpError, PathVariable, RestController } from "irori";
import { Operation } from "irori/openapi";
import * as z from "zod";

@RestController()
class Books {
  @GetMapping("/books/{id}", PathVariable("id", "int"))
  @Operation({ responses: { 200: z.object({ title: z.string() }) } })
  get(id: number) {
    if (id < 0) throw new HttpError(404, "No such book");
    return { title: "Emma" };
  }
}
export const app = await bootstrap({ components: [Books], config: {} });
`;
const PRINTED = `
import { verify } from "irori/testing";
import { app } from "./app.ts";
await verify(app).catch((error) => console.log(error.message));
`;
const FOUND = "GET /books/{id}: status 404 is not declared, expected one of 200, 400";
const RUNNERS: Readonly<Record<string, string>> = {
  "node:test": `
import { test } from "node:test";
import { verify } from "irori/testing";
import { app } from "./app.ts";
test("the document is true", async () => { await verify(app); });
`,
  "bun:test": `
import { test } from "bun:test";
import { verify } from "irori/testing";
import { app } from "./app.ts";
test("the document is true", async () => { await verify(app); });
`,
};

Deno.test({
  name: "the npm package + verifies an application: Node 22, 24 and Bun",
  // The build keeps a process.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using project = await Project.fromTarball("hono@4", "zod@4");
    await project.write("app.ts", APP);
    await project.write("printed.ts", PRINTED);
    await project.write("node.test.ts", RUNNERS["node:test"]!);
    await project.write("bun.test.ts", RUNNERS["bun:test"]!);
    const options = { cwd: project.path };
    const [validator = ""] = peers("@cfworker/json-schema");
    const [missing = ""] = await runAll(project, [tsx(24)]);
    assertStringIncludes(missing, `npm install ${validator}`);
    await npmInstall(project.path, [validator]);
    const printed = await runAll(project, [tsx(22), tsx(24), bun()]);
    assertEquals(new Set(printed).size, 1, "every runtime sends the same requests");
    assertStringIncludes(printed[0]!, FOUND);
    const tests = [
      [...await tsx(24), "--test", "node.test.ts"],
      [...await bun(), "test", "bun.test.ts"],
    ];
    for (const command of tests) {
      const error = await assertRejects(() => run(command, options), Error);
      assertStringIncludes(error.message, FOUND);
    }
  },
});

async function runAll(
  project: Project,
  commands: readonly Promise<Command>[],
): Promise<readonly string[]> {
  const printed: string[] = [];
  for (const command of commands) {
    printed.push(await run([...await command, "printed.ts"], { cwd: project.path }));
  }
  return printed;
}
