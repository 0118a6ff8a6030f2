import { type DocumentKey, type IndexDocuments, keyOf, keyText, pagesOf } from "./documents.ts";

interface RepairHandlers {
  /** Deletes what the old index lacks from the new one. @returns the keys that are deleted for good */
  readonly removeExtra: (keys: readonly DocumentKey[]) => Promise<readonly DocumentKey[]>;
  readonly addMissing: (keys: readonly DocumentKey[]) => Promise<void>;
  readonly page: number;
}

/** Keys of the new index as texts, some 120 bytes each, and whether the old index was found to have them. */
type Keys = Map<string, boolean>;

const MAX_KEYS = 2_000_000;

/**
 * Compares which documents two indices have: searches do not find what was deleted. The keys of the new index are read while
 * writes go on and remembered, so that those of the old one alone are read while writers wait. Where there are too many for
 * that, they are compared part by part, and both sides are read for each.
 */
export class KeyComparison {
  readonly #parts: number;
  #keys: Keys | undefined;

  constructor(
    private readonly from: IndexDocuments,
    private readonly to: IndexDocuments,
    private readonly size: number,
    total: number,
    private readonly check: () => void,
  ) {
    this.#parts = Math.max(1, Math.ceil(total / MAX_KEYS));
  }

  /** Reads the keys of the new index; later arrivals are passed to {@linkcode arrived}. */
  async prepare(): Promise<void> {
    if (this.#parts === 1) this.#keys = await this.#keysOf(0);
  }

  arrived(key: DocumentKey): void {
    this.#keys?.set(keyText(key), false);
  }

  async compare(repair: RepairHandlers): Promise<void> {
    for (let part = 0; part < this.#parts; part++) {
      const keys = this.#keys ?? await this.#keysOf(part);
      for (const text of keys.keys()) keys.set(text, false);
      let missing: DocumentKey[] = [];
      for await (const key of this.#read(this.from, part)) {
        const text = keyText(key);
        if (!keys.has(text)) missing.push(key);
        keys.set(text, true);
        if (missing.length < repair.page) continue;
        await repair.addMissing(missing);
        missing = [];
      }
      if (missing.length > 0) await repair.addMissing(missing);
      const extra = [...keys].flatMap(([text, isFound]) => isFound ? [] : keyOf(text));
      for (const page of pagesOf(extra, repair.page)) {
        this.check();
        for (const gone of await repair.removeExtra(page)) keys.delete(keyText(gone));
      }
    }
  }

  async #keysOf(part: number): Promise<Keys> {
    const keys: Keys = new Map();
    for await (const key of this.#read(this.to, part)) keys.set(keyText(key), false);
    return keys;
  }

  async *#read(index: IndexDocuments, part: number): AsyncIterable<DocumentKey> {
    for (let shard = 0; shard < index.shards; shard++) {
      const query = { shard: String(shard), after: -1, size: this.size, keysOnly: true };
      for await (const page of index.pages(query, this.check)) {
        for (const key of page) if (partOf(key, this.#parts) === part) yield key;
      }
    }
  }
}

/** Which one of so many parts has the key (FNV-1a). */
export function partOf(key: DocumentKey, parts: number): number {
  if (parts === 1) return 0;
  const text = keyText(key);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % parts;
}
