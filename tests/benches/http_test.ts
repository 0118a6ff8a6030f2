import { assertEquals } from "@std/assert";
import { checkAnswers, FURTHER_CHECKS, furtherChecks } from "../../benches/http/answers.ts";
import { ARENAS } from "../../benches/http/contenders.ts";
import { GOALS, goalTable, OURS, verdicts } from "../../benches/http/goals.ts";
import { LOADS } from "../../benches/http/load.ts";
import type { Result } from "../../benches/http/measure.ts";
import { DENO } from "../runtimes/executables.ts";
import { serving } from "../runtimes/serving.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Of each server that needs nothing beside this repository, what it refuses of what not all of them do. */
const SERVERS: Readonly<Record<string, readonly string[]>> = {
  bare_node: FURTHER_CHECKS,
  bare_fetch: FURTHER_CHECKS.filter((name) => name !== "no UTF-8"),
  hono: [],
  hono_same_answers: FURTHER_CHECKS.filter((name) => name !== "no UTF-8"),
  ours: FURTHER_CHECKS,
};

for (const [name, refused] of Object.entries(SERVERS)) {
  Deno.test(`the server '${name}' answers as all have to, and refuses what is said of it`, async () => {
    const command = [...DENO, `benches/http/servers/${name}.ts`];
    await using server = await serving(command, ROOT, 1);
    const [url = ""] = server.urls;
    await checkAnswers(url);
    const checks = await furtherChecks(url);
    assertEquals(FURTHER_CHECKS.filter((_, index) => checks[index]), refused);
  });
}

Deno.test("goals name contenders and loads that there are", () => {
  for (const { runtime, of, bounds } of GOALS) {
    const names = ARENAS.find((arena) => arena.runtime === runtime)?.contenders.map((c) => c.name);
    assertEquals([names?.includes(of), names?.includes(OURS)], [true, true], `${runtime} ${of}`);
    for (const load of Object.keys(bounds)) {
      assertEquals(LOADS.some(({ name }) => name === load), true, load);
    }
  }
});

Deno.test("verdicts holds a goal by processor time, and says throughput beside it", () => {
  const results = [result("Fastify", 20, [100, 110]), result(OURS, 20, [120, 99])];
  const found = verdicts("Node", results);
  assertEquals(found.map(({ ratio, isKept }) => [ratio, isKept]), [[1, false]]);
  assertEquals(goalTable(found).split("\n")[2]?.split("|").slice(1, -1).map((s) => s.trim()), [
    "Node, of Fastify: POST /users",
    "at most 0.9",
    "20.0 µs against 20.0 µs",
    "1.00",
    "**does not hold**",
    "120/s against 110/s",
    "1.20",
  ]);
  assertEquals(verdicts("Bun", results), []);
});

function result(name: string, cpu: number, rounds: readonly number[]): Result {
  return {
    name,
    rates: new Map([["POST /users", { rounds, cpu }]]),
    start: 0,
    memory: { rest: 0, load: 0 },
    lines: 0,
    checks: [],
  };
}
