import type { DocumentKey } from "./documents.ts";

/**
 * A set of many keys of documents, each with a mark, in as little memory as goes: their bytes one behind the other, and a
 * table of where they start. About 30 bytes a key on top of its text.
 */
export class KeySet {
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #bytes = new Uint8Array(1 << 16);
  #used = 0;
  /** Where the key of each number starts; one more, where the last one ends. */
  #starts = new Uint32Array(1 << 10);
  #marks = new Uint8Array(1 << 10);
  #count = 0;
  /** Numbers of keys plus one, by their hash; 0 where there is none. */
  #table = new Uint32Array(1 << 11);

  add(key: DocumentKey): void {
    const bytes = this.#encoder.encode(textOf(key));
    const slot = this.#slotOf(bytes);
    if (this.#table[slot] !== 0) {
      this.#marks[this.#table[slot]! - 1] = PRESENT;
      return;
    }
    this.#append(bytes);
    this.#table[slot] = this.#count;
    if (this.#count * 2 > this.#table.length) this.#rehash();
  }

  unmarkAll(): void {
    for (let index = 0; index < this.#count; index++) {
      if (this.#marks[index] === MARKED) this.#marks[index] = PRESENT;
    }
  }

  has(key: DocumentKey): boolean {
    return this.#indexOf(key) !== undefined;
  }

  mark(key: DocumentKey): boolean {
    return this.#set(key, MARKED);
  }

  remove(key: DocumentKey): void {
    this.#set(key, REMOVED);
  }

  #set(key: DocumentKey, mark: number): boolean {
    const index = this.#indexOf(key);
    if (index !== undefined) this.#marks[index] = mark;
    return index !== undefined;
  }

  /** Where the key stands, unless it was removed. */
  #indexOf(key: DocumentKey): number | undefined {
    const index = this.#table[this.#slotOf(this.#encoder.encode(textOf(key)))]! - 1;
    return index < 0 || this.#marks[index] === REMOVED ? undefined : index;
  }

  *unmarked(): Iterable<DocumentKey> {
    for (let index = 0; index < this.#count; index++) {
      if (this.#marks[index] === PRESENT) yield keyOf(this.#decoder.decode(this.#bytesAt(index)));
    }
  }

  #append(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, this.#used + bytes.length);
    }
    if (this.#count + 2 > this.#starts.length) {
      this.#starts = grown(this.#starts, this.#count + 2);
      this.#marks = grown(this.#marks, this.#count + 2);
    }
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#marks[this.#count] = PRESENT;
    this.#starts[++this.#count] = this.#used;
  }

  #rehash(): void {
    this.#table = new Uint32Array(this.#table.length * 2);
    for (let index = 0; index < this.#count; index++) {
      this.#table[this.#slotOf(this.#bytesAt(index))] = index + 1;
    }
  }

  #slotOf(bytes: Uint8Array): number {
    const mask = this.#table.length - 1;
    for (let slot = hashOf(bytes) & mask;; slot = (slot + 1) & mask) {
      const number = this.#table[slot]!;
      if (number === 0 || isEqual(bytes, this.#bytesAt(number - 1))) return slot;
    }
  }

  #bytesAt(index: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[index]!, this.#starts[index + 1]!);
  }
}

const PRESENT = 0;
const MARKED = 1;
const REMOVED = 2;

/** The length of the routing, which tells where it ends; nothing where there is none. */
function textOf({ id, routing }: DocumentKey): string {
  return routing === undefined ? `:${id}` : `${routing.length}:${routing}${id}`;
}

function keyOf(text: string): DocumentKey {
  const start = text.indexOf(":") + 1;
  if (start === 1) return { id: text.slice(1) };
  const end = start + Number(text.slice(0, start - 1));
  return { id: text.slice(end), routing: text.slice(start, end) };
}

export function partOf(key: DocumentKey, parts: number): number {
  return parts === 1 ? 0 : hashOf(new TextEncoder().encode(textOf(key))) % parts;
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

function grown<T extends Uint8Array | Uint32Array>(array: T, needed: number): T {
  const larger = new (array.constructor as new (length: number) => T)(
    Math.max(array.length * 2, needed),
  );
  larger.set(array as never);
  return larger;
}
