import { essence, isJson } from "../text/mod.ts";
import { type Found, type Json, type Owned, recordOf, schemaOf } from "./_compared.ts";
import { change } from "./_schema_changes.ts";
import type { Direction } from "./types.ts";

/** Compares bodies of the same media type. */
export function compareContent(
  direction: Direction,
  [before, ours]: Owned,
  [, theirs]: Owned,
  where: string,
  found: Found,
): void {
  const [older, newer] = [contentOf(ours), contentOf(theirs)];
  for (const [type, media] of older) {
    const successor = newer.get(type);
    const place = `${where} ${type}`;
    if (!successor) {
      const removed = change("", "removed", type, [...newer.keys()].join(", ") || undefined);
      found.findings.breaks(before, place, removed);
      continue;
    }
    const comparison = found[direction];
    found.findings.collect(
      before,
      place,
      comparison.compare(schemaOf(media), schemaOf(successor)),
    );
    if (!comparison.same(media.encoding, successor.encoding)) {
      const changed = change("", "encoding changed", media.encoding, successor.encoding);
      found.findings.breaks(before, place, changed);
    }
  }
  for (const type of newer.keys()) {
    if (older.has(type)) continue;
    found.findings.adds(before, `${where} ${type}`, change("", "added", undefined, type));
  }
}

/** By media type, which has no upper case and no blanks here; JSON is UTF-8 anyway (RFC 8259, 8.1). */
export function contentOf({ content }: Json): ReadonlyMap<string, Json> {
  return new Map(
    Object.entries(recordOf(content)).map(([type, media]) => {
      const plain = type.toLowerCase().replace(/\s/g, "");
      const isUtf8 = isJson(plain) && /;charset="?utf-8"?$/.test(plain);
      return [isUtf8 ? essence(plain) : plain, recordOf(media)];
    }),
  );
}
