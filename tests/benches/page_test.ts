import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Result } from "../../benches/http/measure.ts";
import { pageOf, readmeRows, type Visit } from "../../benches/http/page.ts";
import { type Scenario, SETTINGS } from "../../benches/http/settings.ts";
import { withBlock, withRows } from "../../benches/http/write.ts";

const QUIET = { others: 0.01, load: 0.5 };

Deno.test("pageOf() + has the tables by runtime, then goals and how busy the machine was", () => {
  const run = [visit("plain", { Irori: 2000, Fastify: 1000 }), visit("browser", { Irori: 900 })];
  const page = pageOf(run, { rounds: 7, seconds: 1 }, "2 cores, Node 24.1.0");
  assertEquals(page.match(/^#+ .*$/gm), ["### Node", "### Goals", "### Load of the machine"]);
  const firstCells = page.split("\n").map((line) => line.split("|")[1]?.trim());
  const tables = firstCells.filter((_, index) => firstCells[index + 1]?.startsWith("---"));
  assertEquals(tables, [
    ...["Node", "Node", "Node, browser", "Node, browser"],
    ...["goal of", "busy cores, by others"],
  ]);
  assertStringIncludes(page, "Medians of 7 rounds of 1 s: 2 cores, Node 24.1.0.");
});

Deno.test("readmeRows() + puts the best first and in bold, plain beside browser", () => {
  const run = [
    visit("plain", { "node:http": 9000, Irori: 2000, Fastify: 1000, Hono: 1500 }),
    visit("browser", { Irori: 900, Fastify: 1000 }),
  ];
  const rows = readmeRows(run);
  assertEquals(rows.slice(0, 2), [
    [
      "`GET /users/{id}` on Node, requests per second",
      "**2000**",
      "Hono 1500, Fastify 1000",
      "`bench:http node`",
    ],
    [
      "the same with CORS and security headers",
      "900",
      "**Fastify 1000**",
      "`bench:http node`",
    ],
  ]);
  assertEquals(rows.at(-1)?.[0], "start to first response on Node");
});

Deno.test("withBlock() + replaces what is between the markers, which the page has", async () => {
  const page = "a\n<!-- bench:http -->\nold\n<!-- /bench:http -->\nb\n";
  const written = withBlock(page, "new");
  assertEquals(written, "a\n<!-- bench:http -->\n\nnew\n\n<!-- /bench:http -->\nb\n");
  assertEquals(withBlock(written, "new"), written);
  assertThrows(() => withBlock("a", "new"), Error, "expected <!-- bench:http -->");
  withBlock(await Deno.readTextFile("docs/benchmarks.md"), "");
});

Deno.test("withRows() + replaces the rows that a command prints, which README.md has", async () => {
  const page = "| a | x |\n| b | y |\n| c | y |\n| d | z |\n";
  assertEquals(withRows(page, [["new", "y"]]), "| a | x |\n| new | y |\n| d | z |\n");
  assertThrows(() => withRows(page, [["new", "w"]]), Error, "some that end with w");
  const run = [
    visit("plain", { Irori: 2, Fastify: 1 }),
    visit("browser", { Irori: 2, Fastify: 1 }),
  ];
  withRows(await Deno.readTextFile("README.md"), readmeRows(run));
});

function visit(scenario: Scenario, rates: Readonly<Record<string, number>>): Visit {
  const loads = SETTINGS[scenario].loads;
  const results = Object.entries(rates).map(([name, rate]): Result => ({
    name,
    rates: new Map(loads.map((load) => [load.name, { rounds: [rate], cpu: 1e6 / rate }])),
    start: 1e5 / rate,
    memory: { rest: 1, load: 2 },
    lines: 1,
    checks: [],
  }));
  return { arena: { runtime: "Node", scenario }, loads, results, before: QUIET, after: QUIET };
}
