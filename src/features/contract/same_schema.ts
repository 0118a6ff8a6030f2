import type { SchemaReader } from "./reader.ts";
import { ANNOTATIONS, isRecord, sameJson } from "./schema_form.ts";

const IGNORED = ANNOTATIONS.difference(new Set(["readOnly", "writeOnly", "discriminator"]));

const UNORDERED = new Set(["oneOf", "anyOf"]);

export class Sameness {
  /** Pairs of references that refer to the same; one in progress is assumed to. */
  #same = new Set<string>();
  readonly #different = new Set<string>();

  constructor(
    readonly reader: SchemaReader,
    readonly otherReader: SchemaReader,
  ) {}

  of(one: unknown, other: unknown): boolean {
    const kept = this.#same.size;
    const isSame = this.#matches(one, other);
    // What relied on a wrong assumption may be wrong.
    if (!isSame) this.#same = new Set([...this.#same].slice(0, kept));
    return isSame;
  }

  #sameSet(ones: readonly unknown[], others: readonly unknown[]): boolean {
    const left = [...others];
    return ones.length === left.length && ones.every((one) => {
      const index = left.findIndex((other) => this.of(one, other));
      return index >= 0 && left.splice(index, 1);
    });
  }

  #matches(one: unknown, other: unknown): boolean {
    if (Array.isArray(one) && Array.isArray(other)) {
      return one.length === other.length &&
        one.every((item, index) => this.#matches(item, other[index]));
    }
    if (!isRecord(one) || !isRecord(other)) return one === other;
    const names = namesOf(one);
    return sameJson(names, namesOf(other)) && names.every((name) => {
      const [ours, theirs] = [one[name], other[name]];
      if (name === "$ref" && typeof ours === "string" && typeof theirs === "string") {
        return this.#refersToSame(ours, theirs);
      }
      const isSet = UNORDERED.has(name) && Array.isArray(ours) && Array.isArray(theirs);
      return isSet ? this.#sameSet(ours, theirs) : this.#matches(ours, theirs);
    });
  }

  #refersToSame(ours: string, theirs: string): boolean {
    const pair = `${ours} ${theirs}`;
    if (this.#different.has(pair)) return false;
    if (this.#same.has(pair)) return true;
    this.#same.add(pair);
    const [target, other] = [this.reader.resolve(ours), this.otherReader.resolve(theirs)];
    const isSame = target === undefined && other === undefined
      ? ours === theirs
      : this.#matches(target, other);
    if (!isSame) this.#different.add(pair);
    return isSame;
  }
}

function namesOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(value).filter((key) => !IGNORED.has(key)).sort();
}
