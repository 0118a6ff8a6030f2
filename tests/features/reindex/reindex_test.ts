/**
 * The proof of live reindex: applications write and search while runs change the index. Here every scenario without
 * trouble and a slice of the seeds; `deno task soak:reindex` plays them all.
 */
import { assertEquals } from "@std/assert";
import { depth } from "../../long/mod.ts";
import { clusterTest } from "../../servers/real.ts";
import { planOf } from "./plan.ts";
import { CALM, describeResult, playAll, REINDEX_CLUSTERS } from "./soak.ts";

/** How many cases are played at once. */
const AT_ONCE = 4;
/** Seeds of the slice: others on each cluster. */
const SEEDS = depth(3, 8);
/** Without trouble, only every n-th scenario is played. */
const STEP = depth(3, 1);

for (const [index, cluster] of REINDEX_CLUSTERS.entries()) {
  const wrongOf = async (plans: Parameters<typeof playAll>[1]) => {
    const results = await playAll(cluster, plans, AT_ONCE);
    return results.filter(({ problems }) => problems.length > 0).map(describeResult);
  };

  clusterTest(cluster, "a live index loses nothing while it is reindexed", async () => {
    assertEquals(await wrongOf(CALM.filter((_, position) => position % STEP === 0)), []);
  });

  clusterTest(cluster, "nor when the run is killed, frozen or not alone", async () => {
    const seeds = Array.from({ length: SEEDS }, (_, n) => planOf(1 + index * SEEDS + n));
    assertEquals(await wrongOf(seeds), []);
  });
}
