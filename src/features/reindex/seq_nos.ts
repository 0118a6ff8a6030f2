import { inParallel } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, type Json, listOf } from "../../migrations/search/json/json_values.ts";
import { pagesOf, searchWhole } from "./documents.ts";

/** Buckets that one request asks for: clusters give no more than 65,535. */
const MOST = 50_000;
const PAGE = 10_000;
/** Numbers that are counted together: fewest and most. */
const WIDTH = { least: 2, most: 64 };
const AT_ONCE = 2;

/** The sequence numbers in one shard of an index, or of a snapshot of it: a search reads them from columns. */
export class SeqNos {
  constructor(
    private readonly cluster: Cluster,
    private readonly path: string,
    private readonly body: Json = {},
  ) {}

  /** Those of all documents, in order, up to the highest that is wanted: in a tenth of the time that ids take. */
  async upTo(highest: number, signal?: AbortSignal): Promise<readonly number[]> {
    const found: number[] = [];
    let width = MOST;
    for (let from = 0; from <= highest;) {
      signal?.throwIfAborted();
      const to = Math.min(from + width, highest + 1);
      // The density here limits the next request: assigned numbers only become fewer.
      const aggregations = await this.#aggregated(rangeOf(from, to + width * 4), {
        here: { filter: rangeOf(from, to), aggs: { all: histogram(1) } },
        near: { filter: rangeOf(to, to + width) },
        far: { filter: rangeOf(to, to + width * 4) },
      });
      found.push(...keysOf(field(aggregations, "here", "all")).map(([key]) => key));
      const countOf = (name: string) => Number(field(aggregations, name, "doc_count"));
      from = to;
      width = countOf("far") <= MOST ? width * 4 : countOf("near") <= MOST ? width : MOST;
    }
    return found;
  }

  /** Those of `before`, in order, that no longer exist. Counts numbers in groups first, as most groups are whole. */
  async gone(before: readonly number[], expected: number): Promise<readonly number[]> {
    // As many groups as there are numbers in groups that are not whole.
    const even = Math.round(Math.sqrt(before.length / Math.max(1, expected)));
    const each = Math.min(Math.max(even, WIDTH.least), WIDTH.most);
    const groups = Map.groupBy(before, (number) => Math.floor(number / each));
    const end = (before.at(-1) ?? -1) + 1;
    const counts = new Map<number, number>();
    const size = MOST * each;
    const starts = Array.from({ length: Math.ceil(end / size) }, (_, page) => page * size);
    await inParallel(starts, AT_ONCE, async (from) => {
      const range = rangeOf(from, Math.min(from + size, end));
      const aggregations = await this.#aggregated(range, { all: histogram(each) });
      for (const [key, count] of keysOf(field(aggregations, "all"))) counts.set(key / each, count);
    });
    const doubtful = [...groups].filter(([group, numbers]) => counts.get(group) !== numbers.length)
      .flatMap(([, numbers]) => numbers);
    return await this.missing(doubtful);
  }

  async missing(numbers: readonly number[]): Promise<readonly number[]> {
    const missing = await inParallel([...pagesOf(numbers, PAGE)], AT_ONCE, async (asked) => {
      const query = { terms: { _seq_no: asked } };
      const aggregations = await this.#aggregated(query, { all: histogram(1) });
      const there = new Set(keysOf(field(aggregations, "all")).map(([key]) => key));
      return asked.filter((number) => !there.has(number));
    });
    return missing.flat();
  }

  async #aggregated(query: Json, aggs: Json): Promise<unknown> {
    const body = JSON.stringify({ ...this.body, size: 0, track_total_hits: false, query, aggs });
    return field((await searchWhole(this.cluster, this.path, body)).json, "aggregations");
  }
}

function histogram(interval: number): Json {
  return { histogram: { field: "_seq_no", interval, min_doc_count: 1 } };
}

function rangeOf(from: number, to: number): Json {
  return { range: { _seq_no: { gte: from, lt: to } } };
}

function keysOf(aggregation: unknown): readonly (readonly [key: number, count: number])[] {
  return listOf(field(aggregation, "buckets")).map((bucket) =>
    [Number(field(bucket, "key")), Number(field(bucket, "doc_count"))] as const
  );
}
