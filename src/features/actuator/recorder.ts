import { isThenable } from "../../text/mod.ts";
import type {
  Counter,
  DistributionSummary,
  Gauge,
  Meter,
  Statistics,
  Timer,
} from "./meter_types.ts";

export type Sink = (value: number) => void;

export interface Series {
  statistics(): Statistics;
  readonly buckets?: readonly number[] | undefined;
}

const WINDOW_MS = 60_000;

/** Serves a timer, which keeps seconds and is given milliseconds, and a summary. */
export class Recording implements Series, Timer, DistributionSummary {
  readonly buckets: number[] | undefined;
  /** How many of what callers are given make one of what is kept. */
  readonly #scale: number;
  #count = 0;
  #total = 0;
  #max = 0;
  #before = 0;
  #since = 0;

  constructor(readonly meter: Pick<Meter, "type" | "bounds">, readonly sink?: Sink) {
    const { type, bounds: { length } } = meter;
    this.buckets = length > 0 ? new Array(length + 1).fill(0) : undefined;
    this.#scale = type === "timer" ? 1000 : 1;
  }

  add(value: number, now: number): void {
    if (!(value >= 0 && value < Infinity)) return;
    this.#count++;
    this.#total += value;
    if (now - this.#since > WINDOW_MS) this.#turn(now);
    if (value > this.#max) this.#max = value;
    if (this.buckets !== undefined) this.buckets[bucketOf(value, this.meter.bounds)]!++;
    if (this.sink !== undefined) this.sink(value);
  }

  #turn(now: number): void {
    this.#before = now - this.#since > 2 * WINDOW_MS ? 0 : this.#max;
    this.#max = 0;
    this.#since = now;
  }

  #largest(): number {
    const now = performance.now();
    if (now - this.#since > WINDOW_MS) this.#turn(now);
    return Math.max(this.#max, this.#before);
  }

  record(value: number): void;
  record<R>(action: () => R): R;
  record<R>(what: number | (() => R)): R | void {
    if (typeof what !== "function" || this.#scale === 1) {
      return this.add(toNumber(what) / this.#scale, performance.now());
    }
    const start = performance.now();
    const end = () => {
      const now = performance.now();
      this.add((now - start) / 1000, now);
    };
    let result: R;
    try {
      result = what();
    } catch (error) {
      end();
      throw error;
    }
    if (!isThenable(result)) {
      end();
      return result;
    }
    // A thenable may start again each time it is awaited: the caller gets the promise that is measured.
    const promise = Promise.resolve(result);
    // The caller receives its failure; this one only waits for it.
    promise.then(end, end);
    return (result instanceof Promise ? result : promise) as R;
  }

  count(): number {
    return this.#count;
  }

  totalTime(): number {
    return this.#total * this.#scale;
  }

  totalAmount(): number {
    return this.#total;
  }

  max(): number {
    return this.#largest() * this.#scale;
  }

  mean(): number {
    return this.#count === 0 ? 0 : this.#total / this.#count * this.#scale;
  }

  statistics(): Statistics {
    const total = this.#scale === 1 ? "TOTAL" : "TOTAL_TIME";
    return { COUNT: this.#count, [total]: this.#total, MAX: this.#largest() };
  }
}

/** The measurement; `NaN` for other values, as drivers give texts where types say otherwise. */
function toNumber(value: unknown): number {
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : NaN;
}

/** The first bucket whose bound is not below the value; behind the bounds is one for the rest. */
function bucketOf(value: number, bounds: readonly number[]): number {
  let index = 0;
  while (index < bounds.length && value > bounds[index]!) index++;
  return index;
}

export function recording(meter: Meter, sink?: Sink): Recording {
  return new Recording(meter, sink);
}

export function counting(_meter: Meter, sink?: Sink): Series & Counter {
  let count = 0;
  return {
    increment(given = 1) {
      const amount = toNumber(given);
      if (!(amount >= 0 && amount < Infinity)) return;
      count += amount;
      if (sink !== undefined) sink(amount);
    },
    count: () => count,
    statistics: () => ({ COUNT: count }),
  };
}

export function reading({ type }: Meter, read: () => unknown): Series & Gauge {
  const value = () => {
    try {
      const value = read();
      // Not awaited: its failure has no receiver.
      if (isThenable(value)) value.then(() => {}, () => {});
      return toNumber(value);
    } catch {
      return NaN; // Those who read all meters are to see the others.
    }
  };
  return {
    value,
    statistics() {
      const now = value();
      if (type === "gauge") return { VALUE: now };
      return now >= 0 ? { COUNT: now } : {};
    },
  };
}
