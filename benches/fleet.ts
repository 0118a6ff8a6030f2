/**
 * Compares an unchanged run over 20 clusters with a loop of one request to each, both 4 at a time, with 10 and 200 files.
 *
 * Usage: `deno task bench:fleet`. The target is a median of at most 1.5 times the loop with 10 files. Each cluster answers
 * after 5 ms, as over a network. A part of a run that the loop has not is the reading of the configuration and the files.
 */
import type { ClusterDouble } from "../tests/servers/cluster_double.ts";
import { median } from "./web/report.ts";
import { inParallel } from "../src/migrations/runner/mod.ts";
import {
  clusters,
  outcomesOf,
  type Project,
  project,
  template,
} from "../tests/features/fleets/fleets_support.ts";

const names = Array.from({ length: 20 }, (_, index) => `c${index + 1}`);
await using doubles = clusters(names, () => ({
  intercept: () => new Promise<undefined>((done) => setTimeout(() => done(undefined), 5)),
}));
const own = Object.fromEntries(names.map((name) => [name, { hosts: doubles[name]!.url }]));

await compare(10);
await compare(200);

async function compare(count: number): Promise<void> {
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`logs/${i}-template.json`, template(`t${i}`)]),
  );
  await using fleet = await project({ each: { clusters: own, parallel: 4 } }, files);
  await fleet.migrate();
  const sent = doubles.c1!.requests.length;
  await run(fleet);
  const requests = doubles.c1!.requests.slice(sent);
  if (requests.length !== 1) throw new Error(`An unchanged run sent ${requests.length} requests`);
  const times: Record<"loop" | "run", number[]> = { loop: [], run: [] };
  const works = [["loop", () => loop(requests[0]!)], ["run", () => run(fleet)]] as const;
  for (let round = 0; round < 30; round++) {
    for (const [name, work] of works) {
      const started = performance.now();
      await work();
      times[name].push(performance.now() - started);
    }
  }
  const [ofLoop, ofRun] = [median(times.loop), median(times.run)];
  console.log(
    `${count} files: loop ${ofLoop.toFixed(1)} ms, run ${ofRun.toFixed(1)} ms: ` +
      `${(ofRun / ofLoop).toFixed(2)} times`,
  );
}

async function loop({ line, body }: ClusterDouble["requests"][number]): Promise<void> {
  const [method, path] = line.split(" ");
  await inParallel(names, 4, async (name) => {
    // A run has clients of its own, too.
    using client = Deno.createHttpClient({});
    const response = await fetch(`${doubles[name]!.url}${path}`, {
      ...{ method, body, client, headers: { "Content-Type": "application/json" } },
    } as RequestInit);
    await response.text();
  });
}

async function run(fleet: Project): Promise<void> {
  const outcomes = outcomesOf(await fleet.migrate());
  if (outcomes.some((outcome) => !outcome.endsWith("unchanged"))) throw new Error(`${outcomes}`);
}
