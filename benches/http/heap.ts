/**
 * Whether requests leave the heap where it was: an application with two small middleware is loaded on each runtime, and its
 * heap is read after collections, before and behind so many requests. Ends with 1 where it has grown beyond the bound.
 *
 * ```sh
 * deno task bench:heap                     # 100,000 requests on each
 * REQUESTS=1000000 deno task bench:heap bun
 * ```
 *
 * @module
 */
import { bun, type Command, DENO, node } from "../../tests/runtimes/executables.ts";
import { Project } from "../../tests/runtimes/project.ts";
import { serving } from "../../tests/runtimes/serving.ts";
import { OUR_PACKAGES } from "./contenders.ts";
import { ensureWrk, LOADS, press } from "./load.ts";
import { aligned } from "./table.ts";

const RUNTIMES: Readonly<Record<string, () => Promise<Command>>> = {
  node: async () => [...await node(24), "--expose-gc"],
  deno: () => Promise.resolve([...DENO, "--v8-flags=--expose-gc"]),
  bun,
};
const REQUESTS = Number(Deno.env.get("REQUESTS") ?? 100_000);
/** Sent twice before the heap is measured, so that all code is compiled and the objects of the start are collected. */
const WARM_UP = 50_000;
/** In bytes: one for each of a million requests. Two measurements may differ by half of it. */
const BOUND = 2 ** 20;
/** How long each load takes its turn. */
const SECONDS = 1;
const loads = LOADS.filter(({ name }) => /^(?:GET|POST \/users)/.test(name));

/** Loads a server until it has answered so many requests. @returns how many it were */
async function loadFor(url: string, count: number): Promise<number> {
  let sum = 0;
  for (let turn = 0; sum < count; turn++) {
    sum += (await press(url, loads[turn % loads.length]!, SECONDS)).requests;
  }
  return sum;
}

await ensureWrk();
// `js-yaml` is what the sources need in place of a package of JSR.
await using project = await Project.installed(...OUR_PACKAGES, "js-yaml@4");
await project.addBundle("benches/http/servers/ours_heap.ts", "heap.mjs");
const rows = [["runtime", "requests", "heap before", "behind", "grown by"]];
for (const [runtime, command] of Object.entries(RUNTIMES)) {
  if (Deno.args.length > 0 && !Deno.args.includes(runtime)) continue;
  await using server = await serving([...await command(), "heap.mjs"], project.path, 2);
  const [url = "", control = ""] = server.urls;
  const heapSize = async () => Number(await (await fetch(control)).text());
  for (let time = 0; time < 2; time++) {
    await loadFor(url, WARM_UP);
    await heapSize();
  }
  const before = await heapSize();
  const count = await loadFor(url, REQUESTS);
  const behind = await heapSize();
  if (behind - before > BOUND) Deno.exitCode = 1;
  rows.push([runtime, ...[count, before, behind, behind - before].map((one) => `${one}`)]);
}
console.log(`${aligned(rows)}\n\nIn bytes; at most ${BOUND} more`);
