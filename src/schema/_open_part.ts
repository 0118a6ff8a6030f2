import { pointerToken } from "../text/mod.ts";

/** Whether instances of a class are sent as bytes, or as one text: no fields. */
export function isOfBytes(type: unknown): boolean {
  // Not by a constant: Node loads streams for who only names one.
  return [Date, URL, Blob, File, ArrayBuffer, Uint8Array, ReadableStream].some((one) =>
    one === type
  );
}

/** A pointer to what `key` stands for (RFC 6901). */
export function under(pointer: string, key: string): string {
  return `${pointer}/${pointerToken(key)}`;
}

/** The first that finds something. */
export function first<T>(searches: readonly (() => T | undefined)[]): T | undefined {
  for (const search of searches) {
    const found = search();
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether an intersection gives keys that its objects do not name, as each part of it gives its own: a dictionary does,
 * and so does what takes anything.
 *
 * @param parts the kinds that a value of each may be of
 */
export function isOpenedBy(parts: readonly (readonly string[])[]): boolean {
  return parts.some((kinds, index) => {
    const others = parts.filter((_, other) => other !== index).flat();
    return kinds.includes("object") && others.includes("record") ||
      kinds.some(isStructure) && others.some((kind) => ANYTHING.has(kind));
  });
}

/** Whether values of a kind have parts. */
export function isStructure(kind: string): boolean {
  return STRUCTURES.has(kind);
}

const STRUCTURES: ReadonlySet<string> = new Set([
  "object",
  "record",
  "array",
  "tuple",
  "map",
  "set",
]);

const ANYTHING: ReadonlySet<string> = new Set(["any", "unknown", "custom", "transform"]);
