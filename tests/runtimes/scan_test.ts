/** A component scan of the folder that the application itself is started from. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { bun, type Command, DENO, run, tsx } from "./executables.ts";
import { Project } from "./project.ts";

const FILES = {
  "application.yml": "component-scan: .\n",
  "api.ts": `import { GetMapping, RestController } from "irori";

@RestController()
export class Api {
  @GetMapping("/")
  get() {}
}
`,
  "app.ts": `import { bootstrap } from "irori";
export const app = await bootstrap({ root: import.meta.dirname });
`,
  // Waits for one that waits.
  "main.ts": `import { app } from "./app.ts";
export const routes = app.routeTable.length;
console.log(routes);
`,
};
const project = Project.fromTarball().then(async (made) => {
  for (const [name, text] of Object.entries(FILES)) {
    await made.write(`src/${name}`, text);
    await made.write(`far/${name}`, text);
  }
  await made.write("far/start.ts", 'import "./main.ts";\n');
  return made;
});

test("Deno", () => DENO);
test("Bun", bun);
for (const major of [22, 24] as const) {
  test(`tsx on Node ${major}`, () => tsx(major));
}

Deno.test({
  name: "component scan + says what it waits for, where a file further away waits for it: Node 24",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const made = await project;
    const line = ["timeout", "60", ...await tsx(24), made.file("far/start.ts")];
    const error = await assertRejects(() => run(line, { cwd: made.path }), Error);
    assertStringIncludes(
      error.message,
      `still waits for '${made.file("far/main.ts")}': move files`,
    );
  },
});

Deno.test.afterAll(async () => {
  await (await project)[Symbol.asyncDispose]();
});

function test(name: string, command: () => Command | Promise<Command>): void {
  Deno.test({
    name: `component scan + does not wait for those who wait for it: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const made = await project;
      const line = ["timeout", "60", ...await command(), made.file("src/main.ts")];
      assertEquals(await run(line, { cwd: made.path }), "1\n");
    },
  });
}
