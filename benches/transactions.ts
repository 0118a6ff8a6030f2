/**
 * Measures the cost of joining an open transaction, beside `AsyncLocalStorage.run`, on each runtime. Ends with 1 when a
 * bound is not kept.
 *
 * @module
 */
import { bun, type Command, DENO, node, run } from "../tests/runtimes/executables.ts";
import { Project } from "../tests/runtimes/project.ts";
import { machine } from "./machine.ts";
import { type Figure, report } from "./web/report.ts";

const BASE = "AsyncLocalStorage.run";

await using project = await Project.fromTarball("hono@4");
await project.write("join.ts", await Deno.readTextFile("benches/transactions/join.ts"));

const runtimes: readonly (readonly [name: string, command: Command])[] = [
  ["Node 22", await node(22)],
  ["Node 24", await node(24)],
  ["Deno", DENO],
  ["Bun", await bun()],
];
const figures: Figure[] = [];
for (const [name, command] of runtimes) {
  const output = await run([...command, project.file("join.ts")], { cwd: project.path });
  const { [BASE]: base = NaN, "current()": found = NaN, ...ways } = JSON.parse(
    output,
  ) as Record<string, number>;
  for (const [way, nanoseconds] of Object.entries(ways)) {
    figures.push({
      name: `joining by ${way} on ${name}`,
      value: nanoseconds / base,
      unit: `× ${BASE}`,
      bound: { atMost: 2 },
      note: `${nanoseconds.toFixed()} ns, ${base.toFixed()} ns; current() ${found.toFixed()} ns`,
    });
  }
}
if (!report(figures)) Deno.exitCode = 1;
console.log(machine());
