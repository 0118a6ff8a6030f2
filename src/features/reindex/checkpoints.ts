import { backOffMs, pause } from "../../migrations/runner/mod.ts";
import type { Answer } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import { field, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { expectAnswer, StepError } from "./expect.ts";

export type Checkpoints = Readonly<Record<string, number>>;

export interface ShardProgress {
  /** Up to where all is written: what is in flight may have a higher number, and none below it is missing. */
  readonly written: Checkpoints;
  /** The highest number that was given out. */
  readonly given: Checkpoints;
}

export const SHARDS_AT_ONCE = 4;

const TRIES = 30;
const SHARD_TRIES = 8;

/**
 * How far each primary of an index is. Whatever has a sequence number up to `written` is found by a search after the next
 * refresh; `max_seq_no` counts writes in flight, too, and would lose them.
 */
export async function readProgress(
  cluster: Cluster,
  index: string,
  shards: number,
): Promise<ShardProgress> {
  const filter = "indices.*.shards.*.seq_no,indices.*.shards.*.routing.primary";
  const path = `/${encodeURIComponent(index)}/_stats?level=shards&filter_path=${filter}`;
  const request = { method: "GET", path };
  for (let attempt = 1;; attempt++) {
    const answer = await expectAnswer(cluster, request);
    const found = objectOf(field(answer.json, "indices", index, "shards"));
    const written: Record<string, number> = {};
    const given: Record<string, number> = {};
    for (const [shard, copies] of Object.entries(found)) {
      const primary = listOf(copies).find((copy) => field(copy, "routing", "primary") === true);
      const checkpoint = field(primary, "seq_no", "global_checkpoint");
      if (typeof checkpoint !== "number") continue;
      written[shard] = checkpoint;
      given[shard] = Number(field(primary, "seq_no", "max_seq_no"));
    }
    if (Object.keys(written).length === shards) return { written, given };
    // A primary is on its way to another node.
    if (attempt === TRIES) {
      throw new StepError(request, answer, "some of its shards have no primary");
    }
    await pause(backOffMs(Math.min(attempt, 4)));
  }
}

export function between(before: Checkpoints, after: Checkpoints): number {
  return Object.entries(after).reduce(
    (sum, [shard, number]) => sum + number - (before[shard] ?? -1),
    0,
  );
}

export function atMost(checkpoints: Checkpoints, number: number): Checkpoints {
  return Object.fromEntries(
    Object.entries(checkpoints).map(([shard, own]) => [shard, Math.min(own, number)]),
  );
}

/** The least of all shards: more than that is above it for none. */
export function least(checkpoints: Checkpoints): number {
  return Math.min(...Object.values(checkpoints));
}

export async function refresh(cluster: Cluster, index: string): Promise<void> {
  await everyShard(cluster, { method: "POST", path: `/${encodeURIComponent(index)}/_refresh` });
}

export async function countOf(cluster: Cluster, index: string): Promise<number> {
  const path = `/${encodeURIComponent(index)}/_count?preference=_primary`;
  const request = { method: "POST", path };
  const answer = await everyShard(cluster, request);
  const count = field(answer.json, "count");
  if (typeof count === "number") return count;
  throw new StepError(request, answer, `expected 'count', found ${answer.text.slice(0, 500)}`);
}

async function everyShard(cluster: Cluster, request: SearchRequest): Promise<Answer> {
  for (let attempt = 1;; attempt++) {
    const answer = await expectAnswer(cluster, request);
    const shards = field(answer.json, "_shards");
    if (field(shards, "failed") === 0 && Number(field(shards, "successful")) > 0) return answer;
    if (attempt === SHARD_TRIES) throw new StepError(request, answer, answer.text.slice(0, 500));
    await pause(backOffMs(attempt));
  }
}
