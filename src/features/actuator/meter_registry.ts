import { broughtBy } from "../../container/mod.ts";
import { defined, quoted } from "../../text/mod.ts";
import { boundsOf } from "./buckets.ts";
import { Family, type Kind } from "./family.ts";
import type { Instruments } from "./instruments.ts";
import type {
  Counter,
  DistributionSummary,
  Gauge,
  HistogramOptions,
  Meter,
  MeterOptions,
  Tags,
  Timer,
} from "./meter_types.ts";
import { prometheusClaims } from "./prometheus_names.ts";
import { counting, reading, recording } from "./recorder.ts";

/** How a registry is set up; `actuator()` takes it from the configuration. */
export interface MeterRegistryOptions {
  /** Tags of every meter; a meter's own win. @default none */
  readonly commonTags?: Tags;
  /** How many combinations of tags a meter may have. @default 2000 */
  readonly maxTagCombinations?: number;
  /** Takes precedence over the options of a timer or summary. */
  readonly histogram?: (name: string, type: "timer" | "distribution summary") => HistogramOptions;
  /** Receives all measurements, too. @internal */
  readonly instruments?: Instruments;
  /** The library's own timers: registered first, so that an application that uses their names gets an error. @internal */
  readonly timers?: readonly OwnTimer[];
}

/** @internal */
export type OwnTimer = readonly [name: string, tags: Tags, options: HistogramOptions];

/**
 * The meters of an application, its own and those of the library: a bean where an application has `actuator()`. One made
 * with `new` counts for itself alone, as tests of a class may want it.
 *
 * A meter is made when it is first asked for, and is the same one afterwards: keep it where it is used often. Its name
 * has dots (`orders.placed`); what Prometheus makes of it is not the application's business.
 */
export class MeterRegistry {
  readonly #families = new Map<string, Family>();
  readonly #claims = new Map<string, Meter>();
  readonly #options: MeterRegistryOptions;
  readonly #ends: (() => void)[] = [];

  /** @param options what the configuration says where `actuator()` makes it */
  constructor(options: MeterRegistryOptions = {}) {
    this.#options = options;
    for (const timer of options.timers ?? []) this.#register("timer", ...timer);
  }

  /**
   * Counts what happens: `registry.counter("orders.placed", { channel: "web" }).increment()`.
   *
   * @throws {TypeError} when a meter of that name is of another kind or has other keys of tags, and for names that cannot be
   */
  counter(name: string, tags: Tags = {}, options: MeterOptions = {}): Counter {
    return this.#family("counter", name, tags, options).series(tags, counting);
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
    this.#read(read, "function counter", name, tags, options);
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
    return this.#family("timer", name, tags, options).series(tags, recording);
  }

  /**
   * Adds amounts up: `registry.summary("uploads.size", {}, { baseUnit: "bytes" }).record(file.size)`.
   *
   * @throws {TypeError} as `counter`
   * @throws {RangeError} for a bound of a histogram that is no number above 0
   */
  summary(name: string, tags: Tags = {}, options: HistogramOptions = {}): DistributionSummary {
    return this.#family("distribution summary", name, tags, options).series(tags, recording);
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

  #read(read: () => number, ...asked: Asked): Gauge {
    const [, name, tags] = asked;
    const family = this.#family(...asked);
    if (family.has(tags)) {
      const values = Object.entries(tags).map(([key, value]) => `${key}:${value}`).join(", ");
      const of = values === "" ? "" : ` with the tags ${values}`;
      throw new TypeError(
        `Cannot register the ${family.meter.type} '${name}'${of}: it is registered with another function already`,
      );
    }
    return family.series(tags, (meter) => reading(meter, read));
  }

  /** @throws {TypeError} when it cannot be that meter */
  #family(...asked: Asked): Family {
    const [kind, name, tags] = asked;
    const found = this.#families.get(name) ?? this.#register(...asked);
    if (found.kind !== kind) {
      throw new TypeError(
        `Cannot register the ${kind} '${name}': there is a ${found.kind} of that name`,
      );
    }
    if (found.takes(tags)) return found;
    const { type } = found.meter;
    throw new TypeError(
      `Cannot register the ${type} '${name}' with the tags ${
        quoted(Object.keys(tags).sort())
      }: the ${type} of that ` +
        `name has the tags ${quoted(found.keys)}, and all its series have to have the same`,
    );
  }

  #register(...[kind, name, tags, options]: Asked): Family {
    const type = kind === "function counter" ? "counter" : kind;
    const refuse = (expected: string) => {
      throw new TypeError(`Cannot register the ${type} '${name}': expected ${expected}`);
    };
    if (typeof name !== "string" || !/^[A-Za-z][\w.\-/]{0,254}$/.test(name)) {
      refuse("a name of letters, digits and . _ - / such as 'orders.placed'");
    }
    const { commonTags = {}, histogram, instruments } = this.#options;
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
    const family = new Family(kind, described, tags, commonTags, maxTagCombinations);
    const { meter, isRead } = family;
    this.#claim(meter);
    this.#families.set(name, family);
    if (!isRead) family.sinks = instruments?.sinks(meter);
    else if (instruments) this.#ends.push(instruments.observe(meter));
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
}

broughtBy(MeterRegistry, "the extension actuator() of '@irori/irori/actuator'");

type Asked = [kind: Kind, name: string, tags: Tags, options: HistogramOptions];
