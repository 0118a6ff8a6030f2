import { send } from "./cluster.ts";

/** The least that has to happen while nobody writes, in milliseconds. */
export interface LeastPause {
  readonly block: number;
  readonly refresh: number;
  /** All ids, in the faster of two ways. */
  readonly scan: number;
}

/** Blocks an index, refreshes it, reads its ids in pages of 10,000 and lifts the block. */
export async function leastPause(url: string, index: string): Promise<LeastPause> {
  const block = await timed(() => send(`${url}/${index}/_block/write`, "PUT"));
  try {
    const refresh = await timed(() => send(`${url}/${index}/_refresh`, "POST"));
    const counts: number[] = [];
    const byShard = await timed(async () => counts.push(await scanByShard(url, index)));
    const byScroll = await timed(async () => counts.push(await scroll(url, index)));
    const { count } = await send(`${url}/${index}/_count`, "GET");
    if (counts.some((scanned) => scanned !== count)) {
      throw new Error(`Scans saw ${counts.join(" and ")} of ${count} documents`);
    }
    return { block, refresh, scan: Math.min(byShard, byScroll) };
  } finally {
    await send(`${url}/${index}/_settings`, "PUT", { "index.blocks.write": null });
  }
}

const PAGE = { size: 10_000, _source: false };

/** By sequence number, each shard beside the others. @returns how many */
async function scanByShard(url: string, index: string): Promise<number> {
  const { _shards } = await send(`${url}/${index}/_count`, "GET");
  const scans = Array.from({ length: _shards.total }, async (_, shard) => {
    const address = `${url}/${index}/_search?preference=_shards:${shard}|_primary&` +
      "filter_path=hits.hits._id,hits.hits.sort";
    let count = 0;
    let after: unknown;
    while (true) {
      const body = {
        ...PAGE,
        track_total_hits: false,
        sort: [{ _seq_no: "asc" }],
        ...(after ? { search_after: after } : {}),
      };
      const { hits: { hits = [] } = {} } = await send(address, "POST", body);
      count += hits.length;
      if (hits.length < PAGE.size) return count;
      after = hits.at(-1).sort;
    }
  });
  return (await Promise.all(scans)).reduce((sum, count) => sum + count, 0);
}

/** In the order in which documents lie in the index. @returns how many */
async function scroll(url: string, index: string): Promise<number> {
  const filter = "filter_path=_scroll_id,hits.hits._id";
  const address = `${url}/${index}/_search?scroll=1m&${filter}`;
  let answer = await send(address, "POST", { ...PAGE, sort: ["_doc"] });
  let count = 0;
  while (answer.hits?.hits?.length > 0) {
    count += answer.hits.hits.length;
    const next = { scroll: "1m", scroll_id: answer._scroll_id };
    answer = await send(`${url}/_search/scroll?${filter}`, "POST", next);
  }
  await send(`${url}/_search/scroll`, "DELETE", { scroll_id: answer._scroll_id });
  return count;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
