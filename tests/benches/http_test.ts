import { assertEquals } from "@std/assert";
import {
  checkAnswers,
  checkRefusal,
  FURTHER_CHECKS,
  furtherChecks,
} from "../../benches/http/answers.ts";
import { ARENAS } from "../../benches/http/contenders.ts";
import {
  GOALS,
  goalTable,
  type Measured,
  OURS,
  quantitiesOf,
  verdicts,
} from "../../benches/http/goals.ts";
import type { Result } from "../../benches/http/measure.ts";
import { type Scenario, type Setting, SETTINGS } from "../../benches/http/settings.ts";
import { DENO } from "../runtimes/executables.ts";
import { serving } from "../runtimes/serving.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

const BUT_UTF_8 = FURTHER_CHECKS.filter((name) => name !== "no UTF-8");
/**
 * Each server that needs nothing beside this repository, with its scenario and the further requests that it refuses.
 */
const SERVERS: Readonly<Record<string, readonly [Scenario, refused: readonly string[]]>> = {
  bare_node: ["plain", FURTHER_CHECKS],
  bare_fetch: ["plain", BUT_UTF_8],
  hono: ["plain", []],
  hono_browser: ["browser", []],
  hono_middleware: ["middleware", []],
  hono_same_answers: ["plain", BUT_UTF_8],
  ours: ["plain", FURTHER_CHECKS],
  ours_browser: ["browser", FURTHER_CHECKS],
  ours_middleware: ["middleware", FURTHER_CHECKS],
  ours_equipped: ["equipped", FURTHER_CHECKS],
};

for (const [name, [scenario, refused]] of Object.entries(SERVERS)) {
  Deno.test(`the server '${name}' answers as all have to, and refuses what is said of it`, async () => {
    const command = [...DENO, `benches/http/servers/${name}.ts`];
    await using server = await serving(command, ROOT, 1);
    const [url = ""] = server.urls;
    const { sent, answered, isClosed }: Setting = SETTINGS[scenario];
    const headers = await sent?.();
    await checkAnswers(url, headers, answered);
    if (isClosed) await checkRefusal(url, "/users/1", headers, answered);
    const checks = await furtherChecks(url, headers);
    assertEquals(FURTHER_CHECKS.filter((_, index) => checks[index]), refused);
  });
}

Deno.test("arenas + have each server's source for their scenario", async () => {
  for (const { contenders } of ARENAS) {
    for (const { source } of contenders) {
      assertEquals((await Deno.stat(`${ROOT}benches/http/${source}`)).isFile, true, source);
    }
  }
});

Deno.test("verdicts() + has one for each quantity of each goal after a run of everything", () => {
  const run = ARENAS.map((arena) => ({
    arena,
    results: arena.contenders.map(({ name }) =>
      result(name, 1, arena.setting.loads.map((load) => load.name))
    ),
  }));
  const quantities = GOALS.flatMap(({ scenario }) => quantitiesOf(scenario));
  assertEquals(verdicts(run).length, quantities.length);
});

Deno.test("verdicts() + holds ours to others, to the plain scenario, and to what others add to it", () => {
  const run = [
    measured("Node", "plain", { [OURS]: 10, Fastify: 10.5 }),
    measured("Node", "browser", { [OURS]: 15.1, Fastify: 15.1 }),
    measured("Deno", "plain", { [OURS]: 10, Hono: 6 }),
    measured("Deno", "browser", { [OURS]: 12, Hono: 12 }),
    measured("Deno", "middleware", { [OURS]: 14.5, Hono: 10 }),
  ];
  assertEquals(verdicts(run).map(({ goal, ours, most, isKept }) => [goal, ours, most, isKept]), [
    ["at most 0.95 × Fastify", "10.0 µs", "10.0 µs", false],
    ["at most 1.3 × Hono", "10.0 µs", "7.8 µs", false],
    ["at most 1 × Fastify", "15.1 µs", "15.1 µs", true],
    ["at most plain + 5 µs", "15.1 µs", "15.0 µs", false],
    ["at most plain + 5 µs", "12.0 µs", "15.0 µs", true],
    ["below Hono", "12.0 µs", "12.0 µs", false],
    ["at most plain + 1.15 × what is added to Hono", "14.5 µs", "14.6 µs", true],
  ]);
});

Deno.test("goalTable() + says what is held to what, and what came of it", () => {
  const long = (peak: number) => ({ ...result("", 100, ["POST 100 kB"]), memory: memory(peak) });
  const results = [{ ...long(200), name: OURS }, { ...long(100), name: "Fastify" }];
  const table = goalTable(verdicts([{ arena: { runtime: "Node", scenario: "100 kB" }, results }]));
  assertEquals(
    table.split("\n").slice(2).map((row) => row.split("|").slice(1, -1).map((s) => s.trim())),
    [
      ["Node, 100 kB: POST 100 kB", "at most 1.2 × Fastify", "100.0 µs", "120.0 µs", "holds"],
      [
        "Node, 100 kB: memory under load",
        "at most 1.2 × Fastify",
        "200 MiB",
        "120 MiB",
        "**does not hold**",
      ],
    ],
  );
});

function measured(
  runtime: Measured["arena"]["runtime"],
  scenario: Scenario,
  cpus: Readonly<Record<string, number>>,
): Measured {
  const results = Object.entries(cpus).map(([name, cpu]) => result(name, cpu, ["POST /users"]));
  return { arena: { runtime, scenario }, results };
}

function result(name: string, cpu: number, loads: readonly string[]): Result {
  return {
    name,
    rates: new Map(loads.map((load) => [load, { rounds: [1000], cpu }])),
    start: 100,
    memory: memory(1),
    lines: 0,
    checks: [],
  };
}

/** @param peak in MiB */
function memory(peak: number): Result["memory"] {
  return { rest: 0, load: peak * 1_048_576 };
}
