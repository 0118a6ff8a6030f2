import type { SchemaReader } from "./reader.ts";
import { ANNOTATIONS, isRecord, sameJson } from "./schema_form.ts";

const IGNORED = ANNOTATIONS.difference(new Set(["readOnly", "writeOnly", "discriminator"]));

const UNORDERED = new Set(["oneOf", "anyOf"]);

export class Sameness {
  /** Results by pairs of references; a pair in progress is assumed to be equal. */
  readonly #pairs = new Map<string, boolean>();

  constructor(
    readonly reader: SchemaReader,
    readonly otherReader: SchemaReader,
  ) {}

  of(one: unknown, other: unknown): boolean {
    return this.#attempt(one, other, []);
  }

  #attempt(one: unknown, other: unknown, outer: string[]): boolean {
    const asked: string[] = [];
    const isSame = this.#of(one, other, asked);
    if (isSame) outer.push(...asked);
    // Results that relied on an assumption may be wrong.
    else for (const pair of asked) if (this.#pairs.get(pair)) this.#pairs.delete(pair);
    return isSame;
  }

  #sameSet(ones: readonly unknown[], others: readonly unknown[], asked: string[]): boolean {
    const left = [...others];
    return ones.length === left.length && ones.every((one) => {
      const index = left.findIndex((other) => this.#attempt(one, other, asked));
      return index >= 0 && left.splice(index, 1);
    });
  }

  #of(one: unknown, other: unknown, asked: string[]): boolean {
    if (Array.isArray(one) && Array.isArray(other)) {
      return one.length === other.length &&
        one.every((item, index) => this.#of(item, other[index], asked));
    }
    if (!isRecord(one) || !isRecord(other)) return one === other;
    const [ours, theirs] = [one.$ref, other.$ref];
    if (typeof ours !== typeof theirs) return false;
    if (typeof ours === "string" && typeof theirs === "string") {
      if (!this.#refersToSame(ours, theirs, asked)) return false;
    }
    const namesOf = (value: Readonly<Record<string, unknown>>) =>
      Object.keys(value).filter((key) => key !== "$ref" && !IGNORED.has(key)).sort();
    const names = namesOf(one);
    return sameJson(names, namesOf(other)) &&
      names.every((name) => {
        const [ours, theirs] = [one[name], other[name]];
        const isSet = UNORDERED.has(name) && Array.isArray(ours) && Array.isArray(theirs);
        return isSet ? this.#sameSet(ours, theirs, asked) : this.#of(ours, theirs, asked);
      });
  }

  #refersToSame(ours: string, theirs: string, asked: string[]): boolean {
    const pair = `${ours} ${theirs}`;
    const known = this.#pairs.get(pair);
    if (known !== undefined) return known;
    this.#pairs.set(pair, true);
    asked.push(pair);
    const [target, other] = [this.reader.resolve(ours), this.otherReader.resolve(theirs)];
    const isSame = target === undefined && other === undefined
      ? ours === theirs
      : this.#of(target, other, asked);
    this.#pairs.set(pair, isSame);
    return isSame;
  }
}
