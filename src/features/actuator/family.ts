import { quoted } from "../../text/mod.ts";
import type { Measurement, Meter, MeterType, Statistics, Tags } from "./meter_types.ts";
import { labelName, prometheusName } from "./prometheus_names.ts";

export interface Series {
  statistics(): Statistics;
  readonly recorder?: { readonly buckets: readonly number[] | undefined };
}

export interface FamilyOptions extends Pick<Meter, "name" | "type" | "description" | "unit"> {
  readonly isRead?: boolean;
  readonly bounds?: readonly number[];
  readonly commonTags: Tags;
  readonly maxTagCombinations: number;
}

export const OVERFLOW = "_overflow";

export class Family<S extends Series> implements Meter {
  readonly name: string;
  readonly type: MeterType;
  readonly isRead: boolean;
  readonly description?: string;
  readonly unit?: string;
  readonly bounds: readonly number[];
  readonly prometheus: string;
  readonly keys: readonly string[];
  readonly #series = new Map<string, { readonly tags: Measurement["tags"]; readonly series: S }>();
  #overflow: S | undefined;

  constructor(private readonly options: FamilyOptions, tags: Tags) {
    const { name, type, isRead = false, description, unit, bounds = [], commonTags } = options;
    this.name = name;
    this.type = type;
    this.isRead = isRead;
    if (description !== undefined) this.description = description;
    if (unit !== undefined) this.unit = unit;
    this.bounds = bounds;
    this.prometheus = prometheusName(options);
    this.keys = Object.keys(tags).sort();
    checkKeys(this, [...new Set([...this.keys, ...Object.keys(commonTags)])]);
  }

  takes(tags: Tags): boolean {
    const { keys } = this;
    if (Object.keys(tags).length !== keys.length) return false;
    for (const key of keys) if (!Object.hasOwn(tags, key)) return false;
    return true;
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
    if (this.#series.size < this.options.maxTagCombinations) return this.#add(key, tags, make);
    return this.#overflow ??= this.#overflowed(make);
  }

  measure(): readonly Measurement[] {
    return [...this.#series.values()].map(({ tags, series }) => {
      const buckets = series.recorder?.buckets;
      return { tags, statistics: series.statistics(), ...(buckets && { buckets }) };
    });
  }

  #add(key: string, own: Tags, make: (tags: Measurement["tags"]) => S): S {
    const all = { ...this.options.commonTags, ...own };
    const tags = new Map(Object.keys(all).sort().map((key) => [key, String(all[key])]));
    const series = make(tags);
    this.#series.set(key, { tags, series });
    return series;
  }

  #overflowed(make: (tags: Measurement["tags"]) => S): S {
    const tags = Object.fromEntries(this.keys.map((key) => [key, OVERFLOW]));
    console.warn(
      `The meter '${this.name}' has ${this.options.maxTagCombinations} combinations of its tags ` +
        `(${
          quoted(this.keys)
        }): all others count as one, '${OVERFLOW}'; take what has no end out of the tags, ` +
        "or raise management.metrics.max-tag-combinations",
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

/** @throws {TypeError} for keys that Prometheus keeps for itself, or could not tell apart */
function checkKeys({ name, type }: Meter, keys: readonly string[]): void {
  const [key, problem] = wrongKey(keys) ?? [];
  if (key === undefined) return;
  throw new TypeError(`Cannot give the ${type} '${name}' the tag '${key}': ${problem}`);
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
