import { compact } from "../../migrations/search/json/_slices.ts";
import { jsonOf, member } from "../../migrations/search/json/json.ts";
import { type Answer, describeFailure, isBusy } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, type Json, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import { AnswerError } from "../live_indices/expect.ts";
import { untilWhole } from "./expect.ts";

export interface DocumentKey {
  readonly id: string;
  readonly routing?: string;
}

/** A document as it stands in an answer: what is a number there stays the text of one, and its source what was stored. */
export interface StoredDocument extends DocumentKey {
  readonly version: string;
  readonly seqNo: number;
  readonly source: string;
}

export type Checkpoints = Readonly<Record<string, number>>;

export interface ShardProgress {
  /** Up to where all is written: what is in flight may have a higher number, and none below it is missing. */
  readonly written: Checkpoints;
  /** The highest number that was given out. */
  readonly given: Checkpoints;
}

export const SHARDS_AT_ONCE = 4;

/** Tries until each shard has a primary, which may be on its way to another node. */
const PRIMARY = { tries: 30, slowest: 4 };

export interface PageQuery {
  readonly shard: string;
  readonly after: number;
  readonly size: number;
  readonly keysOnly?: boolean;
}

/** Reads the documents of one index as its primaries have them, and how far those are. */
export class IndexDocuments {
  constructor(readonly cluster: Cluster, readonly name: string, readonly shards = 1) {}

  /** After a refresh, a search finds every write up to `written`; `given` also counts writes in flight. */
  async progress(): Promise<ShardProgress> {
    const filter = "indices.*.shards.*.seq_no,indices.*.shards.*.routing.primary";
    const request = { method: "GET", path: this.path(`_stats?level=shards&filter_path=${filter}`) };
    let primaries: (readonly [shard: string, numbers: Json])[] = [];
    await untilWhole(this.cluster, request, ({ json }) => {
      primaries = Object.entries(objectOf(field(json, "indices", this.name, "shards")))
        .map(([shard, copies]) => {
          const primary = listOf(copies).find((copy) => field(copy, "routing", "primary") === true);
          return [shard, objectOf(field(primary, "seq_no"))] as const;
        })
        .filter(([, { global_checkpoint }]) => typeof global_checkpoint === "number");
      return primaries.length === this.shards ? undefined : "some of its shards have no primary";
    }, PRIMARY);
    const by = (name: string) =>
      Object.fromEntries(primaries.map(([shard, numbers]) => [shard, Number(numbers[name])]));
    return { written: by("global_checkpoint"), given: by("max_seq_no") };
  }

  async refresh(): Promise<void> {
    await this.#everyShard({ method: "POST", path: this.path("_refresh") });
  }

  async count(): Promise<number> {
    const request = { method: "POST", path: this.path("_count?preference=_primary") };
    const answer = await this.#everyShard(request);
    const count = field(answer.json, "count");
    if (typeof count === "number") return count;
    throw new AnswerError(request, answer, `expected 'count', found ${answer.text.slice(0, 500)}`);
  }

  /** Reads a page from the primary: what was refreshed there. */
  async page({ shard, after, size, keysOnly = false }: PageQuery): Promise<StoredDocument[]> {
    const body = JSON.stringify({
      size,
      track_total_hits: false,
      _source: keysOnly ? false : undefined,
      query: { range: { _seq_no: { gt: after } } },
      // An index without a mapping has no field '_seq_no' (tried, 2.19 and 3.4).
      sort: [{ _seq_no: { order: "asc", unmapped_type: "long" } }],
    });
    const path = `${this.searchIn(shard)}&version=true&seq_no_primary_term=true`;
    return documentsIn(await searchWhole(this.cluster, path, body), "hits", "hits")
      .filter((document) => document !== undefined);
  }

  /** All pages of a shard from one on. @param check before each @param sizeAfter how large the next one is to be */
  async *pages(
    query: PageQuery,
    check: () => void = () => {},
    sizeAfter = (_page: readonly StoredDocument[], size: number) => size,
  ): AsyncIterable<readonly StoredDocument[]> {
    for (let { after, size } = query;;) {
      check();
      const page = await this.page({ ...query, after, size });
      if (page.length > 0) yield page;
      if (page.length < size) return;
      after = page.at(-1)!.seqNo;
      size = sizeAfter(page, size);
    }
  }

  async sample(size: number): Promise<readonly DocumentKey[]> {
    const score = { seed: Math.floor(Math.random() * 2 ** 31), field: "_seq_no" };
    const query = { function_score: { random_score: score, boost_mode: "replace" } };
    const body = JSON.stringify({ size, track_total_hits: false, _source: false, query });
    const path = this.path("_search?preference=_primary");
    return keysIn((await searchWhole(this.cluster, path, body)).json);
  }

  async byKey(keys: readonly DocumentKey[]): Promise<readonly (StoredDocument | undefined)[]> {
    if (keys.length === 0) return [];
    const docs = keys.map(({ id, routing }) => ({ _id: id, routing }));
    const request = { method: "POST", path: this.path("_mget"), body: JSON.stringify({ docs }) };
    const answer = await untilWhole(this.cluster, request, (answer) => {
      const error = listOf(field(answer.json, "docs")).map((found) => field(found, "error"))
        .find((error) => error !== undefined);
      const reason = JSON.stringify(error)?.slice(0, 500);
      const isGone = field(error, "type") === "index_not_found_exception";
      if (isGone) throw new AnswerError(request, answer, reason!);
      return reason;
    });
    return documentsIn(answer, "docs");
  }

  searchIn(shard: string): string {
    return this.path(`_search?preference=_shards:${shard}%7C_primary`);
  }

  path(action: string): string {
    return `/${encodeURIComponent(this.name)}/${action}`;
  }

  #everyShard(request: SearchRequest): Promise<Answer> {
    const lacks = (answer: Answer) => isWhole(answer) ? undefined : answer.text.slice(0, 500);
    return untilWhole(this.cluster, request, lacks);
  }
}

export function keysIn(json: unknown): readonly DocumentKey[] {
  return listOf(field(json, "hits", "hits")).map((hit) => {
    const [id, routing] = [String(field(hit, "_id")), field(hit, "_routing")];
    return typeof routing === "string" ? { id, routing } : { id };
  });
}

function isWhole({ json }: Answer): boolean {
  const shards = field(json, "_shards");
  return field(shards, "failed") === 0 && Number(field(shards, "successful")) > 0;
}

/** A search of which each shard has to answer; its answer has to have `_shards` and `timed_out`. */
export function searchWhole(cluster: Cluster, path: string, body: string): Promise<Answer> {
  const isFine = (answer: Answer) =>
    answer.status === 200 || answer.status >= 500 || isBusy(answer);
  return untilWhole(cluster, { method: "POST", path, body }, (answer) => {
    const isDone = answer.status === 200 && field(answer.json, "timed_out") === false;
    return isDone && isWhole(answer) ? undefined : describeFailure(answer);
  }, { isFine });
}

/** Cuts documents out of the text of an answer: `undefined` for those that it says were not found. */
function documentsIn({ text }: Answer, ...path: readonly string[]) {
  const list = path.reduce((found, name) => member(found.members, name)!, jsonOf(text));
  return list.elements.map(({ members }): StoredDocument | undefined => {
    const sourceOf = (name: string) => member(members, name)?.source;
    if (sourceOf("found") === "false") return undefined;
    const routing = sourceOf("_routing");
    return {
      id: JSON.parse(sourceOf("_id")!),
      ...(routing !== undefined && { routing: JSON.parse(routing) as string }),
      version: sourceOf("_version") ?? "",
      seqNo: Number(sourceOf("_seq_no")),
      source: compact(sourceOf("_source") ?? ""),
    };
  });
}

/** A key as one text, for sets of many. The length of the routing tells where it ends; nothing where there is none. */
export function keyText({ id, routing }: DocumentKey): string {
  return routing === undefined ? `:${id}` : `${routing.length}:${routing}${id}`;
}

export function keyOf(text: string): DocumentKey {
  const start = text.indexOf(":") + 1;
  if (start === 1) return { id: text.slice(1) };
  const end = start + Number(text.slice(0, start - 1));
  return { id: text.slice(end), routing: text.slice(start, end) };
}

export function* pagesOf<T>(all: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
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
