import { inParallel } from "../../migrations/runner/mod.ts";
import { field, type Json } from "../../migrations/search/json/json_values.ts";
import {
  type Checkpoints,
  type DocumentKey,
  type IndexDocuments,
  keysIn,
  pagesOf,
  searchWhole,
  SHARDS_AT_ONCE,
  type StoredDocument,
} from "./documents.ts";
import { KeySet } from "./keys.ts";
import { SeqNos } from "./seq_nos.ts";

/** How long the cluster keeps an unread snapshot, and after how many milliseconds it is extended. */
const KEEP = { alive: "15m", touchMs: 120_000 };
const PAGE = 1000;
const SEND = { repeatSafe: true, mayBeForbidden: true };
/** Documents that this is done for: some 16 bytes each. */
const MOST_DOCUMENTS = 20_000_000;
/** Documents that arrived, and whose keys are remembered, some 200 bytes each. */
const MOST_ARRIVED = 500_000;

interface Snapshot {
  readonly id: string;
  readonly shards: number;
}

/**
 * Finds out which documents were deleted from an index since a copy of it was begun, without reading all ids. Each document
 * has a sequence number, which disappears when it is changed or deleted. So the numbers of then are compared with those of
 * now, and the keys of the missing ones are read from a snapshot of then.
 *
 * What was made after the snapshot, copied by the cluster and deleted before a round has seen it is not found: counts tell.
 */
export class Deletions {
  /** By shard: numbers of then that are not known to be missing, in order. */
  readonly #numbers = new Map<string, readonly number[]>();
  readonly #arrived = new Map<string, Map<number, DocumentKey>>();
  readonly #keys = new KeySet();
  /** By shard: keys with a missing number that still existed, as they were changed: they are checked again. */
  readonly #suspects = new Map<string, readonly DocumentKey[]>();
  #count = 0;
  #recent = 0;
  #touched = performance.now();

  private constructor(
    private readonly index: IndexDocuments,
    private readonly snapshot: Snapshot,
  ) {}

  static async begin(
    index: IndexDocuments,
    shards: number,
    documents: number,
  ): Promise<Deletions | undefined> {
    if (documents > MOST_DOCUMENTS) return undefined;
    const path = `${index.path("_search/point_in_time")}?keep_alive=${KEEP.alive}`;
    const answer = await index.cluster.send({ method: "POST", path }, SEND);
    const id = field(answer.json, "pit_id");
    if (answer.status !== 200 || typeof id !== "string") return undefined;
    return new Deletions(index, { id, shards });
  }

  async note(written: Checkpoints, signal?: AbortSignal): Promise<void> {
    await inParallel(Object.entries(written), SHARDS_AT_ONCE, async ([shard, upTo]) => {
      const then = new SeqNos(this.index.cluster, "/_search", this.#slice(shard));
      this.#numbers.set(shard, await then.upTo(upTo, signal));
    });
  }

  arrived(shard: string, documents: readonly StoredDocument[]): void {
    this.#recent += documents.length;
    if (this.#count > MOST_ARRIVED) return;
    this.#count += documents.length;
    const there = this.#arrived.get(shard) ?? new Map<number, DocumentKey>();
    this.#arrived.set(shard, there);
    for (const { id, routing, seqNo } of documents) {
      const key = routing === undefined ? { id } : { id, routing };
      there.set(seqNo, key);
      this.#keys.add(key);
    }
  }

  async find(
    extra: (keys: readonly DocumentKey[]) => Promise<readonly DocumentKey[]>,
    check: () => void,
  ): Promise<void> {
    const expected = this.#recent / this.#numbers.size;
    this.#recent = 0;
    await inParallel([...this.#numbers], SHARDS_AT_ONCE, async ([shard, before]) => {
      check();
      const live = new SeqNos(this.index.cluster, this.index.searchIn(shard));
      const gone = await live.gone(before, expected);
      const isGone = new Set(gone);
      if (gone.length > 0) this.#numbers.set(shard, before.filter((one) => !isGone.has(one)));
      const arrived = this.#arrived.get(shard) ?? new Map<number, DocumentKey>();
      const keys: DocumentKey[] = [...this.#suspects.get(shard) ?? []];
      check();
      for (const number of await live.missing([...arrived.keys()])) {
        keys.push(arrived.get(number)!);
        arrived.delete(number);
      }
      for (const numbers of pagesOf(gone, PAGE)) {
        check();
        const found = await this.#keysOf(shard, numbers);
        // What arrived in another version has another number, and is looked at under that one.
        keys.push(...found.filter((key) => !this.#keys.has(key)));
      }
      const suspects: DocumentKey[] = [];
      for (const page of pagesOf(keys, PAGE)) {
        check();
        const deleted = new Set(await extra(page));
        suspects.push(...page.filter((key) => !deleted.has(key)));
      }
      this.#suspects.set(shard, suspects);
    });
    this.#touched = performance.now();
  }

  async touch(): Promise<void> {
    if (performance.now() - this.#touched < KEEP.touchMs) return;
    this.#touched = performance.now();
    await this.#keysOf(this.#numbers.keys().next().value ?? "0", []);
  }

  async end(): Promise<void> {
    const body = JSON.stringify({ pit_id: [this.snapshot.id] });
    const request = { method: "DELETE", path: "/_search/point_in_time", body };
    await this.index.cluster.send(request, SEND);
  }

  async #keysOf(shard: string, numbers: readonly number[]): Promise<readonly DocumentKey[]> {
    const body = JSON.stringify({
      ...this.#slice(shard),
      size: PAGE,
      _source: false,
      track_total_hits: false,
      query: { terms: { _seq_no: numbers } },
    });
    return keysIn((await searchWhole(this.index.cluster, "/_search", body)).json);
  }

  /** One shard of the snapshot: there are as many slices as shards, and each is one of them. */
  #slice(shard: string): Json {
    const { id, shards } = this.snapshot;
    return {
      pit: { id, keep_alive: KEEP.alive },
      ...(shards > 1 && { slice: { id: Number(shard), max: shards } }),
    };
  }
}
