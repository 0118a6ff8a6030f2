/**
 * Compares an unchanged run over 20 clusters with a loop of one request to each, both 4 at a time.
 *
 * Usage: `deno task bench:fleet`. The target is a median of at most 1.5 times the loop. Each cluster answers after
 * 5 ms, as over a network. A part of a run that the loop has not is the reading of the configuration and of 10 files.
 */
import { median } from "./web/report.ts";
import { inParallel } from "../src/migrations/runner/mod.ts";
import {
  clusters,
  outcomesOf,
  project,
  template,
} from "../tests/features/fleets/fleets_support.ts";

const names = Array.from({ length: 20 }, (_, index) => `c${index + 1}`);
await using doubles = clusters(names, () => ({
  intercept: () => new Promise<undefined>((done) => setTimeout(() => done(undefined), 5)),
}));
const own = Object.fromEntries(names.map((name) => [name, { hosts: doubles[name]!.url }]));
const files = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`logs/${index}-template.json`, template(`t${index}`)]),
);
await using fleet = await project({ each: { clusters: own, parallel: 4 } }, files);
await fleet.migrate();

const request = doubles.c1!.requests[0]!;
async function loop(): Promise<void> {
  await inParallel(names, 4, async (name) => {
    const [method, path] = request.line.split(" ");
    // A run has clients of its own, too.
    using client = Deno.createHttpClient({});
    const response = await fetch(`${doubles[name]!.url}${path}`, {
      ...{ method, body: request.body, client, headers: { "Content-Type": "application/json" } },
    } as RequestInit);
    await response.text();
  });
}

async function run(): Promise<void> {
  const outcomes = outcomesOf(await fleet.migrate());
  if (outcomes.some((outcome) => !outcome.endsWith("unchanged"))) throw new Error(`${outcomes}`);
}

const times: Record<"loop" | "run", number[]> = { loop: [], run: [] };
for (let round = 0; round < 30; round++) {
  for (const [name, work] of [["loop", loop], ["run", run]] as const) {
    const started = performance.now();
    await work();
    times[name].push(performance.now() - started);
  }
}
const [ofLoop, ofRun] = [median(times.loop), median(times.run)];
console.log(
  `loop ${ofLoop.toFixed(1)} ms, run ${ofRun.toFixed(1)} ms: ${(ofRun / ofLoop).toFixed(2)} times`,
);
