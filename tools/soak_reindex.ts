/**
 * The proof of live reindex as a whole: every scenario without trouble, then seeds, on OpenSearch 2 and 3 (those that
 * `IRORI_TEST_OPENSEARCH_URL` and `IRORI_TEST_OPENSEARCH_3_URL` name, or some that are started).
 *
 * - `--seeds 200`: how many; `--from 1`: the first; `--seed 17`: this one alone
 * - `--at-once 4`: how many cases are played at once on each cluster
 * - `--cluster 3`: on the clusters alone whose version starts so
 *
 * A line for each case; below one that failed stand its defects and what its runs sent. A run without arguments that came
 * to its end is written to `docs/proofs/reindex.md`.
 */
import { parseArgs } from "node:util";
import type { Result } from "../tests/features/reindex/soak.ts";
import { startServers } from "./_servers.ts";
import { deno } from "./_run.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    seeds: { type: "string", default: "200" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    "at-once": { type: "string", default: "4" },
    cluster: { type: "string", default: "" },
  },
});
const one = values.seed;
const [count, from] = one === undefined
  ? [values.seeds, values.from].map(Number)
  : [1, Number(one)];

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(name, () => interruption.abort());
}
const servers = Deno.env.has("IRORI_TEST_OPENSEARCH_URL")
  ? undefined
  : await startServers(console.log, interruption.signal, {
    needs: new Set(["search"] as const),
    isAll: true,
    isOpenSearchOnly: true,
  }).servers;
for (const [name, value] of Object.entries(servers?.env ?? {})) Deno.env.set(name, value);
Deno.env.set("IRORI_TEST_ALL", "1"); // OpenSearch 2, too.
let isRight = false;
try {
  isRight = await soak();
} finally {
  await servers?.[Symbol.asyncDispose]();
}
Deno.exit(isRight ? 0 : 1);

/** @returns whether everything was as it has to be */
async function soak(): Promise<boolean> {
  // The module reads the variables with the servers' addresses when it is loaded.
  const { CALM, describeResult, playAll, REINDEX_CLUSTERS, reportOf } = await import(
    "../tests/features/reindex/soak.ts"
  );
  const { planOf } = await import("../tests/features/reindex/plan.ts");
  const seeds = Array.from({ length: count! }, (_, n) => planOf(from! + n));
  const plans = one === undefined ? [...CALM, ...seeds] : seeds;
  const results: Result[] = [];
  const clusters = await Promise.all(REINDEX_CLUSTERS.map(async (cluster) => {
    if (cluster.missing !== undefined) return [];
    const { version: { number } } = await (await fetch(cluster.url)).json();
    return number.startsWith(values.cluster) ? [cluster] : [];
  }));
  const until = () => !interruption.signal.aborted;
  await Promise.all(
    clusters.flat().map((cluster) =>
      playAll(cluster, plans, Number(values["at-once"]), (result) => {
        results.push(result);
        console.log(describeResult(result));
      }, until)
    ),
  );
  const wrong = results.filter(({ problems }) => problems.length > 0);
  console.log(`${results.length} cases, ${wrong.length} wrong`);
  if (Deno.args.length === 0 && until() && clusters.flat().length > 1) {
    const file = new URL("../docs/proofs/reindex.md", import.meta.url);
    await Deno.writeTextFile(file, reportOf(results, "deno task soak:reindex"));
    await deno(["fmt", "--quiet", file.pathname]);
  }
  return wrong.length === 0;
}
