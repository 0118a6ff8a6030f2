import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Result } from "../../benches/http/measure.ts";
import { comparisonRows, pageOf, type Visit } from "../../benches/http/page.ts";
import { type Scenario, SETTINGS } from "../../benches/http/settings.ts";
import { withBlock, withRows } from "../../benches/http/write.ts";

Deno.test("pageOf() + has the tables by runtime, then how they were measured, and no goals", () => {
  const run = [visit("plain", { Irori: 2000, Fastify: 1000 }), visit("browser", { Irori: 900 })];
  const page = pageOf(run, { rounds: 7, seconds: 1 }, "2 cores, Node 24.1.0");
  assertEquals(page.match(/^#+ .*$/gm), ["### Node"]);
  const firstCells = page.split("\n").map((line) => line.split("|")[1]?.trim());
  const tables = firstCells.filter((_, index) => firstCells[index + 1]?.startsWith("---"));
  assertEquals(tables, ["Node", "Node", "Node, browser", "Node, browser"]);
  assertStringIncludes(
    page,
    "Medians of 7 rounds of 1 s: 2 cores, Node 24.1.0. " +
      "Before and after each table, other processes kept at most 0.01 cores busy.",
  );
});

Deno.test("comparisonRows() + puts the best first and in bold, for browsers alone", () => {
  const run = [
    visit("plain", { Irori: 2000, Fastify: 1000 }),
    visit("browser", { Irori: 900, Hono: 800, Fastify: 1000 }),
    visit("browser", { Irori: 900, Hono: 800 }, "Deno"),
  ];
  assertEquals(comparisonRows(run), [
    [
      "`GET` requests with CORS and security headers on Node",
      "900/s",
      "**Fastify 1000/s**, Hono 800/s",
      "`bench:http browser`",
    ],
    [
      "`GET` requests with CORS and security headers on Deno",
      "**900/s**",
      "Hono 800/s",
      "`bench:http browser`",
    ],
  ]);
});

Deno.test("withBlock() + replaces what is between the markers, which the page has", async () => {
  const page = "a\n<!-- bench:http -->\nold\n<!-- /bench:http -->\nb\n";
  const written = withBlock(page, "new");
  assertEquals(written, "a\n<!-- bench:http -->\n\nnew\n\n<!-- /bench:http -->\nb\n");
  assertEquals(withBlock(written, "new"), written);
  assertThrows(() => withBlock("a", "new"), Error, "expected <!-- bench:http -->");
  withBlock(await Deno.readTextFile("docs/benchmarks.md"), "");
});

Deno.test("withRows() + replaces the rows that a command prints, which compare.md has", async () => {
  const page = "| a | x |\n| b | y |\n| c | y |\n| d | z |\n";
  assertEquals(withRows(page, [["new", "y"]]), "| a | x |\n| new | y |\n| d | z |\n");
  assertThrows(() => withRows(page, [["new", "w"]]), Error, "some that end with w");
  const rows = comparisonRows([visit("browser", { Irori: 2, Fastify: 1 })]);
  withRows(await Deno.readTextFile("docs/guide/compare.md"), rows);
});

function visit(
  scenario: Scenario,
  rates: Readonly<Record<string, number>>,
  runtime: Visit["arena"]["runtime"] = "Node",
): Visit {
  const loads = SETTINGS[scenario].loads;
  const results = Object.entries(rates).map(([name, rate]): Result => ({
    name,
    rates: new Map(loads.map((load) => [load.name, { rounds: [rate], cpu: 1e6 / rate }])),
    start: 1e5 / rate,
    memory: { rest: 1, load: 2 },
    lines: 1,
    checks: [],
  }));
  return { arena: { runtime, scenario }, loads, results, others: 0.01 };
}
