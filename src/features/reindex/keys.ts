import type { DocumentKey } from "./documents.ts";

/** A set of many keys of documents, each with or without a mark: some 120 bytes a key. */
export class KeySet {
  readonly #marks = new Map<string, boolean>();

  add(key: DocumentKey): void {
    this.#marks.set(textOf(key), false);
  }

  unmarkAll(): void {
    for (const text of this.#marks.keys()) this.#marks.set(text, false);
  }

  has(key: DocumentKey): boolean {
    return this.#marks.has(textOf(key));
  }

  mark(key: DocumentKey): boolean {
    const isKnown = this.has(key);
    if (isKnown) this.#marks.set(textOf(key), true);
    return isKnown;
  }

  remove(key: DocumentKey): void {
    this.#marks.delete(textOf(key));
  }

  *unmarked(): Iterable<DocumentKey> {
    for (const [text, isMarked] of this.#marks) if (!isMarked) yield keyOf(text);
  }
}

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

/** Which one of so many parts has the key (FNV-1a). */
export function partOf(key: DocumentKey, parts: number): number {
  if (parts === 1) return 0;
  const text = textOf(key);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % parts;
}
