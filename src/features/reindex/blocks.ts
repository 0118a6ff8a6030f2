import { backOffMs, pause } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, objectOf } from "../../migrations/search/json/json_values.ts";
import { expectAnswer, StepError } from "./expect.ts";

const TRIES = 8;
const WRITE_BLOCK = "8";

/**
 * Refuses writes to an index from now on, and waits for those that are on their way.
 *
 * @returns `false` when not every shard confirms it, so that it may stand in part. One that was sent again, as its
 * first answer got lost, finds nothing left to do, and says no more.
 */
export async function blockWrites(cluster: Cluster, marker: string): Promise<boolean> {
  const request = { method: "PUT", path: `/${encodeURIComponent(marker)}/_block/write` };
  const answer = await expectAnswer(cluster, request);
  return field(answer.json, "acknowledged") === true &&
    field(answer.json, "shards_acknowledged") === true;
}

/**
 * Lets writes to an index through again, and makes sure of it. A block that some shard did not confirm has a mark of
 * its own, which goes away with no setting: it is completed first, and lifted then.
 */
export async function unblockWrites(
  cluster: Cluster,
  index: string,
  marker: string,
): Promise<boolean> {
  const path = `/${encodeURIComponent(marker)}`;
  const body = JSON.stringify({ "index.blocks.write": null });
  const lift = { method: "PUT", path: `${path}/_settings`, body };
  for (let attempt = 1;; attempt++) {
    const answer = await cluster.send(lift, { repeatSafe: true });
    if (answer.status === 404) return false;
    if (answer.status === 200 && !await hasWriteBlock(cluster, index)) return true;
    if (attempt === TRIES) throw new StepError(lift, answer, "the index still rejects writes");
    if (answer.status === 200) {
      await cluster.send({ method: "PUT", path: `${path}/_block/write` }, { repeatSafe: true });
    }
    await pause(backOffMs(Math.min(attempt, 3)));
  }
}

async function hasWriteBlock(cluster: Cluster, index: string): Promise<boolean> {
  const path = `/_cluster/state/blocks/${encodeURIComponent(index)}?filter_path=blocks.indices`;
  const { json } = await expectAnswer(cluster, { method: "GET", path });
  const blocks = field(json, "blocks", "indices", index);
  return Object.hasOwn(objectOf(blocks), WRITE_BLOCK);
}
