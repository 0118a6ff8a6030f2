/** The commands that import the modules of a worker, outside of Cloudflare. */
import { assertEquals } from "@std/assert";
import { bun, type Command, DENO, run, tsx } from "./executables.ts";
import { takeGuide } from "./guide.ts";
import { Project, testsOn } from "./project.ts";

const project = Project.equipped().then(async (made) => {
  await takeGuide("edge.md", made);
  await made.write("config/application.yml", "component-scan: ./src\n");
  await made.write(
    "src/room.ts",
    `import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import { connect } from "cloudflare:sockets";
export class Room extends DurableObject { connect = connect; }
export class Entry extends WorkerEntrypoint {}
`,
  );
  return made;
});
const test = testsOn("commands on a worker", project);

commands("Node 22", () => tsx(22));
commands("Node 24", () => tsx(24));
commands("Bun", bun);
commands("Deno", () => DENO);

function commands(name: string, command: () => Command | Promise<Command>): void {
  test(`${name}: read controllers that import modules of Cloudflare`, async (made) => {
    const irori = async (...args: readonly string[]) => {
      const bin = made.file("node_modules/irori/bin.js");
      return await run([...await command(), bin, ...args], { cwd: made.path });
    };
    assertEquals(await irori("routes"), "GET  /pages/{name}  pageController.get()  default\n");
    assertEquals(Object.keys(JSON.parse(await irori("openapi")).paths), ["/pages/{name}"]);
    assertEquals(Object.keys(JSON.parse(await irori("contract", "--json"))), ["PageController"]);
  });
}
