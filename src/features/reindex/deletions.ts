import { inParallel } from "../../migrations/runner/mod.ts";
import { field, type Json } from "../../migrations/search/json/json_values.ts";
import {
  type Checkpoints,
  type DocumentKey,
  type IndexDocuments,
  keyOf,
  keysIn,
  keyText,
  pagesOf,
  searchWhole,
  SHARDS_AT_ONCE,
  type StoredDocument,
} from "./documents.ts";
import { SeqNos } from "./seq_nos.ts";

/** How long the cluster keeps an unread snapshot, and after how many milliseconds it is extended. */
const KEEP = { alive: "15m", touchMs: 120_000 };
const PAGE = 1000;
const SEND = { repeatSafe: true, mayBeForbidden: true };
/** An index with more documents is compared by its keys: each number takes some 16 bytes. */
const MOST_DOCUMENTS = 20_000_000;
/** Keys that are remembered of documents that arrived during the copy: each takes some 200 bytes. */
const MOST_ARRIVED = 500_000;

interface Shard {
  /** Sequence numbers at the start of the copy, in order, without those that are known to be missing. */
  numbers: readonly number[];
  readonly arrived: Map<number, string>;
  /** Keys with a missing number that still existed, as they were changed: they are checked again. */
  suspects: readonly DocumentKey[];
}

/**
 * Finds out which documents were deleted from an index since a copy of it was begun, without reading all ids. Each document
 * has a sequence number, which disappears when it is changed or deleted. So the numbers at the start of the copy are compared
 * with those of now, and the keys of the missing ones are read from a snapshot of the start.
 *
 * What was made after the snapshot, copied by the cluster and deleted before a round has seen it is not found: counts tell.
 */
export class Deletions {
  readonly #shards = new Map<string, Shard>();
  readonly #keys = new Set<string>();
  #count = 0;
  #recent = 0;
  #touched = performance.now();

  private constructor(private readonly index: IndexDocuments, private readonly snapshot: string) {}

  static async begin(index: IndexDocuments, documents: number): Promise<Deletions | undefined> {
    if (documents > MOST_DOCUMENTS) return undefined;
    const path = `${index.path("_search/point_in_time")}?keep_alive=${KEEP.alive}`;
    const answer = await index.cluster.send({ method: "POST", path }, SEND);
    const id = field(answer.json, "pit_id");
    if (answer.status !== 200 || typeof id !== "string") return undefined;
    return new Deletions(index, id);
  }

  async note(written: Checkpoints, signal?: AbortSignal): Promise<void> {
    await inParallel(Object.entries(written), SHARDS_AT_ONCE, async ([shard, upTo]) => {
      const then = new SeqNos(this.index.cluster, "/_search", this.#slice(shard));
      const numbers = await then.upTo(upTo, signal);
      this.#shards.set(shard, { numbers, arrived: new Map(), suspects: [] });
    });
  }

  arrived(shard: string, documents: readonly StoredDocument[]): void {
    this.#recent += documents.length;
    if (this.#count > MOST_ARRIVED) return;
    this.#count += documents.length;
    for (const document of documents) {
      const text = keyText(document);
      this.#shards.get(shard)?.arrived.set(document.seqNo, text);
      this.#keys.add(text);
    }
  }

  /** Finds what was deleted. @param removeExtra deletes it from the copy, and returns which keys are deleted for good */
  async reconcile(
    removeExtra: (keys: readonly DocumentKey[]) => Promise<readonly DocumentKey[]>,
    check: () => void,
  ): Promise<void> {
    const expected = this.#recent / this.#shards.size;
    this.#recent = 0;
    await inParallel([...this.#shards], SHARDS_AT_ONCE, async ([shard, state]) => {
      const { numbers: before, arrived } = state;
      check();
      const live = new SeqNos(this.index.cluster, this.index.searchIn(shard));
      const gone = await live.gone(before, expected);
      const isGone = new Set(gone);
      if (gone.length > 0) state.numbers = before.filter((one) => !isGone.has(one));
      const keys = [...state.suspects];
      check();
      for (const number of await live.missing([...arrived.keys()])) {
        keys.push(keyOf(arrived.get(number)!));
        arrived.delete(number);
      }
      for (const numbers of pagesOf(gone, PAGE)) {
        check();
        const found = await this.#keysOf(shard, numbers);
        // A document that arrived in another version has another number, and is checked under that one.
        keys.push(...found.filter((key) => !this.#keys.has(keyText(key))));
      }
      const suspects: DocumentKey[] = [];
      for (const page of pagesOf(keys, PAGE)) {
        check();
        const deleted = new Set(await removeExtra(page));
        suspects.push(...page.filter((key) => !deleted.has(key)));
      }
      state.suspects = suspects;
    });
    this.#touched = performance.now();
  }

  async touch(): Promise<void> {
    if (performance.now() - this.#touched < KEEP.touchMs) return;
    this.#touched = performance.now();
    await this.#keysOf("0", []);
  }

  async end(): Promise<void> {
    const body = JSON.stringify({ pit_id: [this.snapshot] });
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
    const { shards } = this.index;
    return {
      pit: { id: this.snapshot, keep_alive: KEEP.alive },
      ...(shards > 1 && { slice: { id: Number(shard), max: shards } }),
    };
  }
}
