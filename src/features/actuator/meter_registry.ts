import { broughtBy } from "../../container/mod.ts";
import { defined, quoted } from "../../text/mod.ts";
import { boundsOf } from "./buckets.ts";
import { Family, type Series } from "./family.ts";
import type { Instruments } from "./instruments.ts";
import type {
  Counter,
  DistributionSummary,
  Gauge,
  HistogramOptions,
  Meter,
  MeterOptions,
  MeterType,
  Tags,
  Timer,
} from "./meter_types.ts";
import { prometheusClaims } from "./prometheus_names.ts";
import {
  CountedSeries,
  ReadSeries,
  Recorder,
  RecordingSummary,
  RecordingTimer,
} from "./recorder.ts";

/** How a registry is set up; `actuator()` takes it from the configuration. */
export interface MeterRegistryOptions {
  /** Tags of every meter; a meter's own win. @default none */
  readonly commonTags?: Tags;
  /** How many combinations of tags a meter may have. @default 2000 */
  readonly maxTagCombinations?: number;
  /** What wins over the options of a timer or summary. */
  readonly histogram?: (name: string, type: "timer" | "distribution summary") => HistogramOptions;
  /** What takes all that is measured, besides. @internal */
  readonly instruments?: Instruments;
  /** The library's own timers: registered first, so that an application that uses their names gets an error. @internal */
  readonly timers?: readonly OwnTimer[];
}

/** @internal */
export interface OwnTimer {
  readonly name: string;
  readonly keys: readonly string[];
  readonly options: HistogramOptions;
}

/**
 * The meters of an application, its own and those of the library: a bean where an application has `actuator()`. One made
 * with `new` counts for itself alone, as tests of a class may want it.
 *
 * A meter is made when it is first asked for, and is the same one afterwards: keep it where it is used often. Its name
 * has dots (`orders.placed`); what Prometheus makes of it is not the application's business.
 */
export class MeterRegistry {
  readonly #families = new Map<string, Family<Series>>();
  readonly #claims = new Map<string, Meter>();
  readonly #options: MeterRegistryOptions;
  readonly #sinks = new WeakMap<Meter, ReturnType<Instruments["counter"]>>();
  readonly #ends: (() => void)[] = [];

  /** @param options what the configuration says where `actuator()` makes it */
  constructor(options: MeterRegistryOptions = {}) {
    this.#options = options;
    for (const { name, keys, options: own } of options.timers ?? []) {
      const tags = Object.fromEntries(keys.map((key) => [key, ""]));
      this.#register("timer", name, tags, own);
    }
  }

  /**
   * Counts what happens: `registry.counter("orders.placed", { channel: "web" }).increment()`.
   *
   * @throws {TypeError} when a meter of that name is of another kind or has other keys of tags, and for names that cannot be
   */
  counter(name: string, tags: Tags = {}, options: MeterOptions = {}): Counter {
    const family = this.#family<CountedSeries>("counter", name, tags, options);
    return family.series(tags, (all) => new CountedSeries(this.#sinks.get(family.meter)?.(all)));
  }

  /**
   * A counter that is kept elsewhere and read on demand. A decreasing value or one that is not a number is not shown.
   *
   * @throws {TypeError} as `counter`, and when there is one of these tags
   */
  functionCounter(
    name: string,
    read: () => number,
    tags: Tags = {},
    options: MeterOptions = {},
  ): void {
    this.#read(read, "counter", name, tags, options);
  }

  /**
   * A value that is read on demand: `registry.gauge("queue.size", () => queue.length)`.
   *
   * @throws {TypeError} as `counter`, and when there is one of these tags
   */
  gauge(name: string, read: () => number, tags: Tags = {}, options: MeterOptions = {}): Gauge {
    return this.#read(read, "gauge", name, tags, options);
  }

  /**
   * Times what happens: `registry.timer("payments.time").record(() => pay(order))`.
   *
   * @throws {TypeError} as `counter`
   * @throws {RangeError} for a bound of a histogram that is no number above 0
   */
  timer(name: string, tags: Tags = {}, options: HistogramOptions = {}): Timer {
    const family = this.#family<RecordingTimer>("timer", name, tags, options);
    return family.series(tags, (all) => new RecordingTimer(this.#recorder(family.meter, all)));
  }

  /**
   * Adds amounts up: `registry.summary("uploads.size", {}, { baseUnit: "bytes" }).record(file.size)`.
   *
   * @throws {TypeError} as `counter`
   * @throws {RangeError} for a bound of a histogram that is no number above 0
   */
  summary(name: string, tags: Tags = {}, options: HistogramOptions = {}): DistributionSummary {
    const family = this.#family<RecordingSummary>("distribution summary", name, tags, options);
    return family.series(tags, (all) => new RecordingSummary(this.#recorder(family.meter, all)));
  }

  /** All meters, by name: for who shows them, or sends them somewhere. */
  meters(): readonly Meter[] {
    return [...this.#families.values()]
      .filter((family) => !family.isEmpty)
      .map(({ meter }) => meter)
      .sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** Ends what reads gauges by itself: an SDK of OpenTelemetry. */
  [Symbol.dispose](): void {
    for (const end of this.#ends.splice(0)) end();
  }

  #recorder(meter: Meter, tags: ReadonlyMap<string, string>): Recorder {
    return new Recorder(meter.bounds, this.#sinks.get(meter)?.(tags));
  }

  #read(read: () => number, ...asked: Asked<"counter" | "gauge">): ReadSeries {
    const [type, name, tags, options] = asked;
    const family = this.#family<ReadSeries>(type, name, tags, options, true);
    if (family.has(tags)) {
      const values = Object.entries(tags).map(([key, value]) => `${key}:${value}`).join(", ");
      const of = values === "" ? "" : ` with the tags ${values}`;
      throw new TypeError(
        `Cannot register the ${type} '${name}'${of}: it is registered with another function already`,
      );
    }
    return family.series(tags, () => new ReadSeries(type, read));
  }

  /** @throws {TypeError} when it cannot be that meter */
  #family<S extends Series>(...asked: Asked): Family<S> {
    const [type, name, tags, , isRead = false] = asked;
    const found = this.#families.get(name) ?? this.#register(...asked);
    const isSame = found.meter.type === type && found.isRead === isRead && found.takes(tags);
    if (!isSame) throw mismatch(found, ...asked);
    return found as Family<Series> as Family<S>;
  }

  #register(...[type, name, tags, options, isRead = false]: Asked): Family<Series> {
    const refuse = (expected: string) => {
      throw new TypeError(`Cannot register the ${type} '${name}': expected ${expected}`);
    };
    if (typeof name !== "string" || !/^[A-Za-z][\w.\-/]{0,254}$/.test(name)) {
      refuse("a name of letters, digits and . _ - / such as 'orders.placed'");
    }
    const { commonTags = {}, histogram } = this.#options;
    const { maxTagCombinations = this.#options.maxTagCombinations ?? 2000 } = options;
    const isCount = Number.isInteger(maxTagCombinations) && maxTagCombinations > 0;
    if (maxTagCombinations !== Infinity && !isCount) {
      refuse(
        `a whole number above 0, or Infinity, as maxTagCombinations, found '${maxTagCombinations}'`,
      );
    }
    const { description, baseUnit } = options;
    const unit = type === "timer" ? "seconds" : baseUnit;
    const bounds = type === "timer" || type === "distribution summary"
      ? boundsOf(type, { ...options, ...histogram?.(name, type) })
      : [];
    const described = { name, type, bounds, ...defined({ description, unit }) };
    const family = new Family(described, isRead, tags, { commonTags, maxTagCombinations });
    this.#claim(family.meter);
    this.#families.set(name, family);
    this.#connect(family.meter, isRead);
    return family;
  }

  /** @throws {TypeError} when Prometheus could not tell it from another meter */
  #claim(meter: Meter): void {
    const claims = prometheusClaims(meter);
    for (const claim of claims) {
      const other = this.#claims.get(claim);
      if (other === undefined) continue;
      throw new TypeError(
        `Cannot register the ${meter.type} '${meter.name}': Prometheus cannot distinguish it from the ${other.type} ` +
          `'${other.name}', because both export '${claim}'`,
      );
    }
    for (const claim of claims) this.#claims.set(claim, meter);
  }

  #connect(meter: Meter, isRead: boolean): void {
    const { instruments } = this.#options;
    if (instruments === undefined) return;
    if (isRead) this.#ends.push(instruments.observe(meter));
    else if (meter.type === "counter") this.#sinks.set(meter, instruments.counter(meter));
    else this.#sinks.set(meter, instruments.histogram(meter));
  }
}

broughtBy(MeterRegistry, "the extension actuator() of '@irori/irori/actuator'");

type Asked<T = MeterType> = [
  type: T,
  name: string,
  tags: Tags,
  options: HistogramOptions,
  isRead?: boolean,
];

function mismatch(
  { meter, isRead, keys }: Family<Series>,
  ...[type, name, tags, , isReadNow = false]: Asked
): TypeError {
  const of = (type: MeterType, isRead: boolean) =>
    isRead && type === "counter" ? "function counter" : type;
  const [wanted, there] = [of(type, isReadNow), of(meter.type, isRead)];
  const [own, others] = [Object.keys(tags).sort(), keys].map((keys) => `the tags ${quoted(keys)}`);
  return new TypeError(
    wanted === there
      ? `Cannot register the ${type} '${name}' with ${own}: the ${type} of that name has ${others}, and all its ` +
        "series have to have the same"
      : `Cannot register the ${wanted} '${name}': there is a ${there} of that name`,
  );
}
