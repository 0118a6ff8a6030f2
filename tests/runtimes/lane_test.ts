/** Random requests that are answered on the lane and in the ordinary way. */
import { assertEquals, assertGreaterOrEqual, assertLess, assertNotEquals } from "@std/assert";
import { rawConformance } from "../conformance/raw_runner.ts";
import { conformance } from "../conformance/runner.ts";
import { depth } from "../long/mod.ts";
import { EXCEPTED } from "./excepted.ts";
import { bun, type Command, DENO, node, run } from "./executables.ts";
import { APP, Project } from "./project.ts";
import { serving } from "./serving.ts";

const COUNT = depth(250, 2000, 20_000);
const SEED = 20_261_123;
const WRONG = "wrong.mjs";
const LANE = "src/web/serve/lane.ts";

const project = Project.equipped().then(async (made) => {
  await made.addBundle(`${APP}/compared.ts`, "compared.mjs");
  const text = await Deno.readTextFile(LANE);
  const changed = text.replace(
    "transport.json(native, text,",
    "transport.json(native, text.length > 2 ? '0' : text,",
  );
  assertNotEquals(changed, text);
  await made.addBundle(`${APP}/conforming.ts`, WRONG, { [LANE]: changed });
  return made;
});

Deno.test.afterAll(async () => await (await project)[Symbol.asyncDispose]());

test("Deno", () => DENO);
test("Node 22", () => node(22));
test("Node 24", () => node(24));
test("Bun", bun);
testSuite("Deno", () => DENO);
testSuite("Node 22", () => node(22));
testSuite("Node 24", () => node(24));
testSuite("Bun", bun);

function test(name: string, command: () => Command | Promise<Command>): void {
  for (const kind of ["plain", "secured"]) {
    Deno.test({
      name: `${name} + answers random ${kind} requests on the lane as in the ordinary way`,
      // A build is shared, so it outlives the test that asked for it first.
      sanitizeOps: false,
      sanitizeResources: false,
      async fn() {
        const made = await project;
        const script = [
          ...await command(),
          made.file("compared.mjs"),
          String(SEED),
          String(COUNT),
          kind,
        ];
        const { different, ordinary } = JSON.parse(lastLine(await run(script, { cwd: "." })));
        assertEquals(different, []);
        const [withLane, without] = ordinary;
        assertLess(withLane, without * 0.8);
      },
    });
  }
}

function testSuite(name: string, command: () => Command | Promise<Command>): void {
  const failuresOf = async (script: string, kind: string) => {
    const made = await project;
    const line = [...await command(), made.file(script), kind];
    await using server = await serving(line, made.path, 1);
    const [url = ""] = server.urls;
    const { hostname, port } = new URL(url);
    const outcomes = [...await conformance(url), ...await rawConformance(hostname, Number(port))];
    const excepted = EXCEPTED[name.split(" ")[0] ?? ""] ?? [];
    return outcomes.filter(({ name, failures }) => failures.length > 0 && !excepted.includes(name));
  };
  const define = (title: string, fn: () => Promise<void>) =>
    Deno.test({ name: `${name} + ${title}`, sanitizeOps: false, sanitizeResources: false, fn });
  define("fails the conformance suite with a lane that answers wrongly", async () => {
    assertGreaterOrEqual((await failuresOf(WRONG, "plain")).length, 70);
  });
}

/** Before it are the lines of the access log. */
function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
