import { inParallel } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, type Json, listOf } from "../../migrations/search/json/json_values.ts";
import { searchWhole } from "./documents.ts";

/** Where sequence numbers are read: one shard of an index, or of a snapshot of it. */
export interface SeqNoSource {
  readonly path: string;
  readonly body: Json;
}

/** Buckets that one request asks for: clusters give no more than 65,535. */
const MOST = 50_000;
const PAGE = 10_000;
/** Numbers that are counted together: fewest and most. */
const WIDTH = { least: 2, most: 64 };
const AT_ONCE = 2;

/**
 * The sequence numbers of all documents, in order, up to the highest that is wanted. An aggregation reads them from columns,
 * which takes a tenth of the time that ids take.
 */
export async function readSeqNos(
  cluster: Cluster,
  source: SeqNoSource,
  upTo: number,
  signal?: AbortSignal,
): Promise<readonly number[]> {
  const found: number[] = [];
  let width = MOST;
  for (let from = 0; from <= upTo;) {
    signal?.throwIfAborted();
    const to = Math.min(from + width, upTo + 1);
    // The density here limits the next request: assigned numbers only become fewer.
    const aggregations = await aggregated(cluster, source, rangeOf(from, to + width * 4), {
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

/** Counts numbers in groups first, as most groups are whole; `before` is in order. */
export async function goneSeqNos(
  cluster: Cluster,
  source: SeqNoSource,
  before: readonly number[],
  expected: number,
): Promise<readonly number[]> {
  // As many groups as there are numbers in groups that are not whole.
  const even = Math.round(Math.sqrt(before.length / Math.max(1, expected)));
  const each = Math.min(Math.max(even, WIDTH.least), WIDTH.most);
  const groups = Map.groupBy(before, (number) => Math.floor(number / each));
  const last = before.at(-1) ?? -1;
  const starts = Array.from({ length: Math.ceil((last + 1) / (MOST * each)) }, (_, n) => n);
  const counts = new Map<number, number>();
  await inParallel(starts, AT_ONCE, async (start) => {
    const [from, to] = [start * MOST * each, Math.min((start + 1) * MOST * each, last + 1)];
    const aggregations = await aggregated(cluster, source, rangeOf(from, to), {
      all: histogram(each),
    });
    for (const [key, count] of keysOf(field(aggregations, "all"))) counts.set(key / each, count);
  });
  const doubtful = [...groups].filter(([group, numbers]) => counts.get(group) !== numbers.length)
    .flatMap(([, numbers]) => numbers);
  return await missingSeqNos(cluster, source, doubtful);
}

export async function missingSeqNos(
  cluster: Cluster,
  source: SeqNoSource,
  numbers: readonly number[],
): Promise<readonly number[]> {
  const pages = Array.from({ length: Math.ceil(numbers.length / PAGE) }, (_, n) => n);
  const missing = await inParallel(pages, AT_ONCE, async (page) => {
    const asked = numbers.slice(page * PAGE, (page + 1) * PAGE);
    const query = { terms: { _seq_no: asked } };
    const aggregations = await aggregated(cluster, source, query, { all: histogram(1) });
    const there = new Set(keysOf(field(aggregations, "all")).map(([key]) => key));
    return asked.filter((number) => !there.has(number));
  });
  return missing.flat();
}

async function aggregated(
  cluster: Cluster,
  { path, body }: SeqNoSource,
  query: Json,
  aggs: Json,
): Promise<unknown> {
  const asked = JSON.stringify({ ...body, size: 0, track_total_hits: false, query, aggs });
  return field((await searchWhole(cluster, path, asked)).json, "aggregations");
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
