import { pointerToken } from "../text/mod.ts";

/** A part of a schema that gives what the schema does not name. */
export interface OpenPart {
  /** Where, with `*` for any item. */
  readonly pointer: string;
  /** `open` lets keys pass; `opaque` says nothing of what it gives. */
  readonly is: "open" | "opaque";
}

/** Classes whose instances are sent as bytes, or as one text: no fields. */
export const BYTES: ReadonlySet<unknown> = new Set([
  Date,
  URL,
  Blob,
  File,
  ArrayBuffer,
  Uint8Array,
  ReadableStream,
]);

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
