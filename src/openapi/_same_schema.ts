import { ANNOTATIONS, isRecord, sameJson, type SchemaReader } from "./schema_form.ts";

/** Tells whether parts of two documents say the same, once references are followed and annotations left out. */
export class Sameness {
  /** By pairs of references: what is known, or, while it is asked, taken to be so. */
  readonly #pairs = new Map<string, boolean>();

  constructor(
    readonly reader: SchemaReader,
    readonly otherReader: SchemaReader,
  ) {}

  of(one: unknown, other: unknown): boolean {
    const asked: string[] = [];
    const isSame = this.#of(one, other, asked);
    // What was taken for granted may have been wrong.
    if (!isSame) {
      for (const pair of asked) if (this.#pairs.get(pair)) this.#pairs.delete(pair);
    }
    return isSame;
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
    const said = (value: Readonly<Record<string, unknown>>) =>
      Object.keys(value).filter((key) => key !== "$ref" && !ANNOTATIONS.has(key)).sort();
    const names = said(one);
    return sameJson(names, said(other)) &&
      names.every((name) => this.#of(one[name], other[name], asked));
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
