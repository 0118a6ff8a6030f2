/**
 * Names and values that tell series of one meter apart: `{ channel: "web" }`. Never what a client made up, or an id of
 * which there is no end.
 */
export type Tags = Readonly<Record<string, string | number | boolean>>;

/** The description of a meter beside its name and tags; the first request for the meter decides. */
export interface MeterOptions {
  /** The description of the measurement, for people. */
  readonly description?: string;
  /** The unit of a value: `bytes`, `rows`. A timer's is `seconds`. */
  readonly baseUnit?: string;
  /**
   * How many combinations of tags it may have; what comes after them counts as one, `_overflow`.
   *
   * @default `management.metrics.max-tag-combinations`
   */
  readonly maxTagCombinations?: number;
}

/** {@linkcode MeterOptions} of a meter that may be a histogram. What the configuration says of it wins. */
export interface HistogramOptions extends MeterOptions {
  /** Bounds that count how many values were no larger; a timer's are milliseconds. @default none */
  readonly serviceLevelObjectives?: readonly number[];
  /**
   * Whether there are bounds for estimating percentiles: those of OpenTelemetry, 5 ms to 10 s for a timer.
   *
   * @default false
   */
  readonly publishPercentileHistogram?: boolean;
  /** The least of the bounds for percentiles. @default the least of OpenTelemetry's */
  readonly minimumExpectedValue?: number;
  /** The largest of the bounds for percentiles. @default the largest of OpenTelemetry's */
  readonly maximumExpectedValue?: number;
}

/** Counts what happens. */
export interface Counter {
  /** Adds one, or an amount. What is negative or not finite is not counted: measuring fails nothing. */
  increment(amount?: number): void;
  /** How many so far. */
  count(): number;
}

/** A value that goes up and down, read on demand. */
export interface Gauge {
  /** The current value; `NaN` where reading it fails. */
  value(): number;
}

/** Counts and times what happens, in milliseconds. */
export interface Timer {
  /** Adds a duration in milliseconds. What is negative or not finite is not counted. */
  record(milliseconds: number): void;
  /**
   * Runs an action and times it, to the end of what it gives where that is awaited, and also when it fails. What is awaited
   * and no promise, as a query of some libraries, begins at once: its promise is given in its place.
   */
  record<R>(action: () => R): R;
  /** How many so far. */
  count(): number;
  /** The sum, in milliseconds. */
  totalTime(): number;
  /** The longest of the last one to two minutes, in milliseconds. */
  max(): number;
  /** The average, in milliseconds; 0 before the first. */
  mean(): number;
}

/** Counts amounts and adds them up, such as sizes. */
export interface DistributionSummary {
  /** Adds an amount. What is negative or not finite is not counted. */
  record(amount: number): void;
  /** How many so far. */
  count(): number;
  /** The sum. */
  totalAmount(): number;
  /** The largest of the last one to two minutes. */
  max(): number;
  /** The average; 0 before the first. */
  mean(): number;
}

/** The kinds of meters. */
export type MeterType = "counter" | "gauge" | "timer" | "distribution summary";

/** The statistics of one series, under the names that Micrometer has for them. */
export type Statistics = Readonly<
  Partial<Record<"COUNT" | "TOTAL_TIME" | "TOTAL" | "MAX" | "VALUE", number>>
>;

/** One series, at the time it is asked for. */
export interface Measurement {
  /** By key, in the order of the keys. */
  readonly tags: ReadonlyMap<string, string>;
  /** The measurements. */
  readonly statistics: Statistics;
  /** How many values each bucket has, one for each bound and one for what is above them all. */
  readonly buckets?: readonly number[];
}

/** A meter with all its series, for who shows it. */
export interface Meter {
  /** With dots, as Micrometer has it: `http.server.requests`. */
  readonly name: string;
  /** Its kind. */
  readonly type: MeterType;
  /** As Prometheus has it, unit included, without what samples add: `http_server_requests_seconds`. */
  readonly prometheus: string;
  /** The description of the measurement, for people. */
  readonly description?: string;
  /** The unit of a value. */
  readonly unit?: string;
  /** Upper bounds of buckets, ascending, in the base unit; none where it is no histogram. */
  readonly bounds: readonly number[];
  /** Its series, in the order in which they were asked for. */
  measure(): readonly Measurement[];
}
