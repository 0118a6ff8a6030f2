import { quoted } from "../../text/mod.ts";
import type { Measurement, Meter, Statistics, Tags } from "./meter_types.ts";
import { labelName, prometheusName } from "./prometheus_names.ts";

export interface Series {
  statistics(): Statistics;
  readonly recorder?: { readonly buckets: readonly number[] | undefined };
}

/** What a meter is, beside its series. */
export type Described = Omit<Meter, "prometheus" | "measure">;

export interface TagLimits {
  readonly commonTags: Tags;
  readonly maxTagCombinations: number;
}

export const OVERFLOW = "_overflow";

/** A meter with its series, which all have the same keys of tags. */
export class Family<S extends Series> {
  readonly meter: Meter;
  readonly keys: readonly string[];
  readonly #series = new Map<string, { readonly tags: Measurement["tags"]; readonly series: S }>();
  #overflow: S | undefined;

  /** @param isRead whether its values are kept elsewhere */
  constructor(
    described: Described,
    readonly isRead: boolean,
    tags: Tags,
    private readonly limits: TagLimits,
  ) {
    const measure = () => this.#measure();
    this.meter = { ...described, prometheus: prometheusName(described), measure };
    this.keys = Object.keys(tags).sort();
    const all = new Set([...this.keys, ...Object.keys(limits.commonTags)]);
    const [key, problem] = wrongKey([...all]) ?? [];
    if (problem === undefined) return;
    const { name, type } = described;
    throw new TypeError(`Cannot give the ${type} '${name}' the tag '${key}': ${problem}`);
  }

  takes(tags: Tags): boolean {
    const { keys } = this;
    return Object.keys(tags).length === keys.length &&
      keys.every((key) => Object.hasOwn(tags, key));
  }

  get isEmpty(): boolean {
    return this.#series.size === 0;
  }

  has(tags: Tags): boolean {
    return this.#series.has(this.#keyOf(tags));
  }

  /** The series of these tags; where there are too many already, the one for all the others. */
  series(tags: Tags, make: (tags: Measurement["tags"]) => S): S {
    const key = this.#keyOf(tags);
    const found = this.#series.get(key);
    if (found !== undefined) return found.series;
    if (this.#series.size < this.limits.maxTagCombinations) return this.#add(key, tags, make);
    return this.#overflow ??= this.#overflowed(make);
  }

  #measure(): readonly Measurement[] {
    return [...this.#series.values()].map(({ tags, series }) => {
      const buckets = series.recorder?.buckets;
      return { tags, statistics: series.statistics(), ...(buckets && { buckets }) };
    });
  }

  #add(key: string, own: Tags, make: (tags: Measurement["tags"]) => S): S {
    const all = { ...this.limits.commonTags, ...own };
    const tags = new Map(Object.keys(all).sort().map((key) => [key, String(all[key])]));
    const series = make(tags);
    this.#series.set(key, { tags, series });
    return series;
  }

  #overflowed(make: (tags: Measurement["tags"]) => S): S {
    const { meter: { name }, keys, limits: { maxTagCombinations: most } } = this;
    const tags = Object.fromEntries(keys.map((key) => [key, OVERFLOW]));
    console.warn(
      `The meter '${name}' has ${most} combinations of its tags (${
        quoted(keys)
      }): all others count as one, ` +
        `'${OVERFLOW}'; take what has no end out of the tags, or raise management.metrics.max-tag-combinations`,
    );
    if (this.isRead) return make(new Map(Object.entries(tags))); // There is no value of several.
    return this.#add(this.#keyOf(tags), tags, make);
  }

  /** Values with their lengths: no value can look like two. */
  #keyOf(tags: Tags): string {
    const { keys } = this;
    if (keys.length === 1) return String(tags[keys[0]!]);
    let key = "";
    for (const name of keys) {
      const value = String(tags[name]);
      key += `${value.length}:${value}`;
    }
    return key;
  }
}

/** The first key of tags that cannot be one beside the others, and why: Prometheus could not tell them apart. */
export function wrongKey(
  keys: readonly string[],
): readonly [key: string, problem: string] | undefined {
  const labels = new Map<string, string>();
  for (const key of keys) {
    const label = labelName(key);
    const problem = !/^[A-Za-z_][\w.\-/]*$/.test(key)
      ? "expected a letter, followed by letters, digits and . _ - /"
      : label === "le" || label === "quantile" || label.startsWith("__")
      ? "Prometheus reserves this name"
      : labels.has(label)
      ? `Prometheus cannot distinguish it from '${labels.get(label)}'`
      : undefined;
    if (problem !== undefined) return [key, problem];
    labels.set(label, key);
  }
  return undefined;
}
