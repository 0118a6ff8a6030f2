import { quoted } from "../../text/mod.ts";
import type { Measurement, Meter, MeterType, Tags } from "./meter_types.ts";
import { labelName, prometheusName } from "./prometheus_names.ts";
import type { Series, Sink } from "./recorder.ts";

export type Kind = MeterType | "function counter";

export const OVERFLOW = "_overflow";

type Make<S> = (meter: Meter, sink?: Sink) => S;

export class Family {
  readonly meter: Meter;
  readonly keys: readonly string[];
  sinks: ((tags: Measurement["tags"]) => Sink) | undefined;
  readonly #series = new Map<string, readonly [Measurement["tags"], Series]>();
  #overflow: Series | undefined;

  constructor(
    readonly kind: Kind,
    described: Omit<Meter, "prometheus" | "measure">,
    tags: Tags,
    readonly commonTags: Tags,
    readonly maxTagCombinations: number,
  ) {
    const measure = () => this.#measure();
    this.meter = { ...described, prometheus: prometheusName(described), measure };
    this.keys = Object.keys(tags).sort();
    const all = new Set([...this.keys, ...Object.keys(commonTags)]);
    const [key, problem] = wrongKey([...all]) ?? [];
    if (problem === undefined) return;
    const { name, type } = described;
    throw new TypeError(`Cannot give the ${type} '${name}' the tag '${key}': ${problem}`);
  }

  get isRead(): boolean {
    return this.kind === "gauge" || this.kind === "function counter";
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
  series<S extends Series>(tags: Tags, make: Make<S>): S {
    const key = this.#keyOf(tags);
    const [, found] = this.#series.get(key) ?? [];
    if (found !== undefined) return found as S;
    if (this.#series.size < this.maxTagCombinations) return this.#add(key, tags, make);
    return (this.#overflow ??= this.#overflowed(make)) as S;
  }

  #measure(): readonly Measurement[] {
    return [...this.#series.values()].map(([tags, series]) => {
      const { buckets } = series;
      return { tags, statistics: series.statistics(), ...(buckets && { buckets }) };
    });
  }

  #add<S extends Series>(key: string, own: Tags, make: Make<S>): S {
    const all = { ...this.commonTags, ...own };
    const tags = new Map(Object.keys(all).sort().map((key) => [key, String(all[key])]));
    const series = make(this.meter, this.sinks?.(tags));
    this.#series.set(key, [tags, series]);
    return series;
  }

  #overflowed(make: Make<Series>): Series {
    const { meter, keys, maxTagCombinations: most } = this;
    console.warn(
      `The meter '${meter.name}' has ${most} combinations of its tags (${
        quoted(keys)
      }): all others count as one, ` +
        `'${OVERFLOW}'; take what has no end out of the tags, or raise management.metrics.max-tag-combinations`,
    );
    if (this.isRead) return make(meter); // There is no value of several.
    const tags = Object.fromEntries(keys.map((key) => [key, OVERFLOW]));
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
