/** Random requests, which `listen()` and `app.fetch` answer alike. */
import { assertEquals, assertGreater } from "@std/assert";
import { depth } from "../long/mod.ts";
import type { AskedReport } from "./app/asked.ts";
import { bun, type Command, DENO, node, run } from "./executables.ts";
import { APP, Project, testsOn } from "./project.ts";

const COUNT = depth(250, 2000, 20_000);
const SEED = 20_261_129;

const project = Project.equipped().then(async (made) => {
  await made.addBundle(`${APP}/asked.ts`, "asked.mjs");
  return made;
});
const test = testsOn("listen()", project);
const RUNTIMES: Readonly<Record<string, () => Command | Promise<Command>>> = {
  Deno: () => DENO,
  "Node 22": () => node(22),
  "Node 24": () => node(24),
  Bun: bun,
};

for (const [runtime, command] of Object.entries(RUNTIMES)) {
  for (const setting of ["plain", "browser", "hono", "middleware"]) {
    test(`answers random requests on ${runtime} as app.fetch does: ${setting}`, async (made) => {
      const line = [...await command(), made.file("asked.mjs"), `${SEED}`, `${COUNT}`, setting];
      const { different, statuses }: AskedReport = JSON.parse(await run(line, { cwd: made.path }));
      assertEquals(different, []);
      assertGreater(Object.keys(statuses).length, 15);
    });
  }
}
