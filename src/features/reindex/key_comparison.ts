import { type DocumentKey, type IndexDocuments, pagesOf } from "./documents.ts";
import { KeySet, partOf } from "./keys.ts";

interface Side {
  readonly index: IndexDocuments;
  readonly shards: number;
}

interface KeyComparisonOptions {
  readonly from: Side;
  readonly to: Side;
  readonly size: number;
  readonly total: number;
  readonly signal?: AbortSignal | undefined;
}

interface RepairHandlers {
  readonly check: () => void;
  /** Given keys of the new index that the old one lacks, returns which of them are deleted for good. */
  readonly extra: (keys: readonly DocumentKey[]) => Promise<readonly DocumentKey[]>;
  readonly missing: (keys: readonly DocumentKey[]) => Promise<void>;
  readonly page: number;
}

/** Keys that are kept in memory at once, some 120 bytes each. */
const MAX_KEYS = 2_000_000;

/**
 * Compares which documents two indices have: searches do not find what was deleted. The keys of the new index are read while
 * writes go on and remembered, so that those of the old one alone are read while writers wait. Where there are too many for
 * that, they are compared part by part, and both sides are read for each.
 */
export class KeyComparison {
  readonly #parts: number;
  #keys: KeySet | undefined;

  constructor(private readonly options: KeyComparisonOptions) {
    this.#parts = Math.max(1, Math.ceil(options.total / MAX_KEYS));
  }

  /** Reads the keys of the new index; later arrivals are passed to {@linkcode arrived}. */
  async prepare(): Promise<void> {
    if (this.#parts === 1) this.#keys = await this.#keysOf(0, () => {});
  }

  arrived(key: DocumentKey): void {
    this.#keys?.add(key);
  }

  async compare(repair: RepairHandlers): Promise<void> {
    for (let part = 0; part < this.#parts; part++) {
      const keys = this.#keys ?? await this.#keysOf(part, repair.check);
      keys.unmarkAll();
      let missing: DocumentKey[] = [];
      for await (const key of this.#read(this.options.from, part, repair.check)) {
        if (keys.mark(key)) continue;
        missing.push(key);
        keys.add(key);
        keys.mark(key);
        if (missing.length < repair.page) continue;
        await repair.missing(missing);
        missing = [];
      }
      if (missing.length > 0) await repair.missing(missing);
      for (const page of pagesOf([...keys.unmarked()], repair.page)) {
        repair.check();
        for (const gone of await repair.extra(page)) keys.remove(gone);
      }
    }
  }

  async #keysOf(part: number, check: () => void): Promise<KeySet> {
    const keys = new KeySet();
    for await (const key of this.#read(this.options.to, part, check)) keys.add(key);
    return keys;
  }

  async *#read(side: Side, part: number, check: () => void): AsyncIterable<DocumentKey> {
    const { size, signal } = this.options;
    for (let number = 0; number < side.shards; number++) {
      const shard = String(number);
      for (let after = -1;;) {
        signal?.throwIfAborted();
        check();
        const page = await side.index.page({ shard, after, size, keysOnly: true });
        for (const key of page) if (partOf(key, this.#parts) === part) yield key;
        if (page.length < size) break;
        after = page.at(-1)!.seqNo;
      }
    }
  }
}
