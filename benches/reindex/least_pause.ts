import { send } from "./cluster.ts";

/** The time of the steps that need a write block, in milliseconds. */
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
    const times: number[] = [];
    for (const way of [bySequenceNumber, byScroll]) {
      times.push(await timed(async () => counts.push(await scan(url, index, way))));
    }
    const { count } = await send(`${url}/${index}/_count`, "GET");
    if (counts.some((scanned) => scanned !== count)) {
      throw new Error(`Scans saw ${counts.join(" and ")} of ${count} documents`);
    }
    return { block, refresh, scan: Math.min(...times) };
  } finally {
    await send(`${url}/${index}/_settings`, "PUT", { "index.blocks.write": null });
  }
}

const PAGE = { size: 10_000, _source: false };

/** Both shards beside each other. @returns how many documents there are */
async function scan(
  url: string,
  index: string,
  shard: (search: string) => Promise<number>,
): Promise<number> {
  const { _shards } = await send(`${url}/${index}/_count`, "GET");
  const counts = Array.from(
    { length: _shards.total },
    (_, number) => shard(`${url}/${index}/_search?preference=_shards:${number}|_primary`),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function bySequenceNumber(search: string): Promise<number> {
  let count = 0;
  let after: unknown;
  while (true) {
    const { hits: { hits = [] } = {} } = await send(
      `${search}&filter_path=hits.hits._id,hits.hits.sort`,
      "POST",
      {
        ...PAGE,
        track_total_hits: false,
        sort: [{ _seq_no: "asc" }],
        ...(after ? { search_after: after } : {}),
      },
    );
    count += hits.length;
    if (hits.length < PAGE.size) return count;
    after = hits.at(-1).sort;
  }
}

/** In the order in which documents lie in the shard. */
async function byScroll(search: string): Promise<number> {
  const address = new URL("/_search/scroll", search);
  const filter = "filter_path=_scroll_id,hits.hits._id";
  let answer = await send(`${search}&scroll=1m&${filter}`, "POST", { ...PAGE, sort: ["_doc"] });
  let count = 0;
  while (answer.hits?.hits?.length > 0) {
    count += answer.hits.hits.length;
    const next = { scroll: "1m", scroll_id: answer._scroll_id };
    answer = await send(`${address}?${filter}`, "POST", next);
  }
  await send(`${address}`, "DELETE", { scroll_id: answer._scroll_id });
  return count;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
