/** Attacks over raw sockets: the server stays alive, answers other clients, and frees its descriptors. */
import { assertEquals, assertGreater } from "@std/assert";
import { Running } from "../app/process.ts";
import { depth, IS_LONG, writeProof } from "../long/mod.ts";
import { AUTHORIZATION, SETTINGS } from "./app/settings.ts";
import type { AttackReport } from "./attacker.ts";
import { descriptorsOf, settled } from "./descriptors.ts";
import { bun, type Command, DENO, node, run } from "./executables.ts";
import { APP, Project } from "./project.ts";

/** Kinds of attacks that a runtime has a defect of its own for; `docs/runtime-differences.md` lists them. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = { Node: ["abandoned"] };
/** Deno never aborts a signal that is first read after the client has left: nothing may wait for it alone. */
const LATE_SIGNALS = { LEFT_MS: "2000" };
const SEED = 20_261_123;
const COUNT = depth(40, 200, 2000);
const INNOCENT_MS = IS_LONG ? 1000 : 200;

const project = Project.equipped().then(async (made) => {
  await made.addBundle(`${APP}/attacked.ts`, "attacked.mjs");
  await made.addBundle("tests/runtimes/attacker.ts", "attacker.mjs");
  return made;
});
/** The same without `ws`. */
const bare = project.then(async (made) => {
  const bare = await Project.equipped();
  await bare.remove("node_modules/ws");
  await Deno.copyFile(made.file("attacked.mjs"), bare.file("attacked.mjs"));
  return bare;
});
const rows: string[] = [];

Deno.test.afterAll(async () => {
  for (const made of [await project, await bare]) await made[Symbol.asyncDispose]();
  await writeProof(
    "attacks",
    `# Attacks over raw sockets

${
      COUNT.toLocaleString("en")
    } connections that misbehave, 16 at once, from the seed ${SEED}: slow, cut off, pipelined, reset,
upgraded, with CONNECT, trailers, wrong lengths, bad chunks, huge headers, half-closed, with
garbage behind a handshake, and pipelined behind a request that is never answered. Each server was alive afterwards, shut down cleanly, and had no more
descriptors than before. Meanwhile an innocent client asked about once a second.

| runtime | setting | attacks | innocent requests | answered | slowest | kinds left out |
| ------- | ------- | ------- | ----------------- | -------- | ------- | -------------- |
`,
    rows,
  );
});

for (const setting of Object.keys(SETTINGS)) {
  test("Deno", setting, () => DENO);
  test("Node 22", setting, () => node(22));
  test("Node 24", setting, () => node(24));
  test("Bun", setting, bun);
}
test("Node 22 without ws", "plain", () => node(22), bare);
test("Node 24 without ws", "plain", () => node(24), bare);

function test(
  name: string,
  setting: string,
  command: () => Command | Promise<Command>,
  within = project,
): void {
  Deno.test({
    name: `${name} + stays available during attacks over raw sockets: ${setting}`,
    // A build is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const script = (await within).file("attacked.mjs");
      await using running = new Running(
        [...await command(), script],
        { REQUEST_TIMEOUT: "2", SETTING: setting, ...(name === "Deno" && LATE_SIGNALS) },
        "stdout",
        undefined,
        IS_LONG ? 600 : 60,
      );
      const [, url = ""] = await running.line(/^url (\S+)$/);
      // A process stops when the pipe of its output is full.
      const ended = running.ended();
      const errors = running.errors();
      const headers = { Connection: "close", Authorization: AUTHORIZATION };
      assertEquals(await (await fetch(`${url}/innocent`, { headers })).text(), "innocent");
      const before = await descriptorsOf(running.pid);
      const leftOut = LEFT_OUT[name.split(" ")[0] ?? ""] ?? [];
      const attacker = [...await node(24), (await project).file("attacker.mjs")];
      const args = [url, SEED, COUNT, INNOCENT_MS, AUTHORIZATION, ...leftOut].map(String);
      const found: AttackReport = JSON.parse(await run([...attacker, ...args], { cwd: "." }));
      assertEquals(found.failed, []);
      assertGreater(found.answered, 1);
      await settled(running.pid, before);
      running.kill("SIGTERM");
      assertEquals((await ended).code, 0, await errors);
      const all = Object.values(found.attacks).reduce((sum, count) => sum + count, 0);
      assertEquals(all, COUNT);
      rows.push(
        `| ${name} | ${setting} | ${all} | ${found.answered} | all | ${found.slowest} ms | ${
          leftOut.join(", ") || "none"
        } |`,
      );
    },
  });
}
