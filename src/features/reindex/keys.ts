import type { DocumentKey } from "./documents.ts";

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
