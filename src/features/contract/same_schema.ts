import type { SchemaReader } from "./reader.ts";
import { ANNOTATIONS, isRecord, type Json, sameJson } from "./schema_form.ts";

const IGNORED = ANNOTATIONS.difference(new Set(["readOnly", "writeOnly", "discriminator"]));

const UNORDERED = new Set(["oneOf", "anyOf"]);

/** Compares parts of two documents. Pairs of references that are being compared are assumed to be the same. */
export function sameness(reader: SchemaReader, otherReader: SchemaReader) {
  let same = new Set<string>();
  const different = new Set<string>();
  return isSame;

  function isSame(one: unknown, other: unknown): boolean {
    const kept = same.size;
    const found = matches(one, other);
    // Results that relied on a wrong assumption may be wrong.
    if (!found) same = new Set([...same].slice(0, kept));
    return found;
  }

  function isSameSet(ones: readonly unknown[], others: readonly unknown[]): boolean {
    const left = [...others];
    return ones.length === left.length && ones.every((one) => {
      const index = left.findIndex((other) => isSame(one, other));
      return index >= 0 && left.splice(index, 1);
    });
  }

  function matches(one: unknown, other: unknown): boolean {
    if (Array.isArray(one) && Array.isArray(other)) {
      return one.length === other.length && one.every((item, index) => matches(item, other[index]));
    }
    if (!isRecord(one) || !isRecord(other)) return one === other;
    const names = keywordsOf(one);
    return sameJson(names, keywordsOf(other)) && names.every((name) => {
      const [ours, theirs] = [one[name], other[name]];
      if (name === "$ref" && typeof ours === "string" && typeof theirs === "string") {
        return refersToSame(ours, theirs);
      }
      const isSet = UNORDERED.has(name) && Array.isArray(ours) && Array.isArray(theirs);
      return isSet ? isSameSet(ours, theirs) : matches(ours, theirs);
    });
  }

  function refersToSame(ours: string, theirs: string): boolean {
    const pair = `${ours} ${theirs}`;
    if (different.has(pair) || same.has(pair)) return !different.has(pair);
    same.add(pair);
    const [target, other] = [reader.resolve(ours), otherReader.resolve(theirs)];
    const isLost = target === undefined && other === undefined;
    const found = isLost ? ours === theirs : matches(target, other);
    if (!found) different.add(pair);
    return found;
  }
}

function keywordsOf(value: Json): readonly string[] {
  return Object.keys(value).filter((key) => !IGNORED.has(key)).sort();
}
