/**
 * Measures how cost grows: routes against start and latency, migration files against time, requests and memory, bodies
 * against time. Prints a table for each and draws `docs/growth.svg`; ends with 1 where something grows faster than
 * what it depends on.
 *
 * ```sh
 * deno task bench:growth
 * ```
 *
 * @module
 */
import { bodies } from "./growth/bodies.ts";
import { type Chart, growth, svg } from "./growth/chart.ts";
import { files } from "./growth/files.ts";
import { routes } from "./growth/routes.ts";
import { machine } from "./machine.ts";

/** Exponent up to which growth counts as linear: the figures of one run differ by as much. */
const LINEAR = 1.1;

const charts: Chart[] = [];
for (const measure of [routes, files, bodies]) {
  for (const chart of await measure()) {
    charts.push(chart);
    print(chart);
  }
}
await Deno.writeTextFile(new URL("../docs/growth.svg", import.meta.url), svg(charts));
console.log(`\n${machine()}`);

function print({ title, by, unit, lines }: Chart): void {
  const sizes = lines[0]!.points.map(([size]) => size);
  console.log(`\n${title}, ${unit}, by ${by}\n`);
  console.log(`| ${["", ...sizes, "exponent"].join(" | ")} |`);
  console.log(`| --- |${" --: |".repeat(sizes.length + 1)}`);
  for (const { name, points } of lines) {
    const exponent = growth(points);
    const isLinear = exponent <= LINEAR;
    if (!isLinear) Deno.exitCode = 1;
    const values = points.map(([, value]) => value.toFixed(value < 100 ? 1 : 0));
    const verdict = `${exponent.toFixed(2)}${isLinear ? "" : " ABOVE LINEAR"}`;
    console.log(`| ${[name, ...values, verdict].join(" | ")} |`);
  }
}
