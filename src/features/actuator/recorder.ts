import { isThenable } from "../../text/mod.ts";
import type { Counter, DistributionSummary, Gauge, Statistics, Timer } from "./meter_types.ts";

export type Sink = (value: number) => void;

const WINDOW_MS = 60_000;

export class Recorder {
  count = 0;
  total = 0;
  #max = 0;
  #before = 0;
  #since = 0;
  readonly buckets: number[] | undefined;

  constructor(readonly bounds: readonly number[], readonly sink?: Sink) {
    this.buckets = bounds.length > 0 ? new Array(bounds.length + 1).fill(0) : undefined;
  }

  add(value: number, now: number): void {
    if (!(value >= 0 && value < Infinity)) return;
    this.count++;
    this.total += value;
    if (now - this.#since > WINDOW_MS) this.#turn(now);
    if (value > this.#max) this.#max = value;
    if (this.buckets !== undefined) this.buckets[bucketOf(value, this.bounds)]!++;
    if (this.sink !== undefined) this.sink(value);
  }

  max(now: number = performance.now()): number {
    if (now - this.#since > WINDOW_MS) this.#turn(now);
    return Math.max(this.#max, this.#before);
  }

  #turn(now: number): void {
    this.#before = now - this.#since > 2 * WINDOW_MS ? 0 : this.#max;
    this.#max = 0;
    this.#since = now;
  }
}

/** What is measured; `NaN` for what is no number, as drivers give texts where types say otherwise. */
export function numberOf(value: unknown): number {
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : NaN;
}

/** The first bucket whose bound is not below the value; behind the bounds is one for the rest. */
function bucketOf(value: number, bounds: readonly number[]): number {
  let index = 0;
  while (index < bounds.length && value > bounds[index]!) index++;
  return index;
}

abstract class Recording {
  constructor(readonly recorder: Recorder) {}

  /** How many of what callers are given make one of what is kept. */
  abstract readonly scale: number;

  count(): number {
    return this.recorder.count;
  }

  max(): number {
    return this.recorder.max() * this.scale;
  }

  mean(): number {
    const { count, total } = this.recorder;
    return count === 0 ? 0 : total / count * this.scale;
  }
}

/** A timer keeps seconds and is given milliseconds. */
export class RecordingTimer extends Recording implements Timer {
  readonly scale = 1000;

  record(milliseconds: number): void;
  record<R>(action: () => R): R;
  record<R>(what: number | (() => R)): R | void {
    if (typeof what !== "function") {
      return this.recorder.add(numberOf(what) / 1000, performance.now());
    }
    const start = performance.now();
    const end = () => {
      const now = performance.now();
      this.recorder.add((now - start) / 1000, now);
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

  totalTime(): number {
    return this.recorder.total * 1000;
  }

  statistics(): Statistics {
    const { count, total } = this.recorder;
    return { COUNT: count, TOTAL_TIME: total, MAX: this.recorder.max() };
  }
}

export class RecordingSummary extends Recording implements DistributionSummary {
  readonly scale = 1;

  record(amount: number): void {
    this.recorder.add(numberOf(amount), performance.now());
  }

  totalAmount(): number {
    return this.recorder.total;
  }

  statistics(): Statistics {
    const { count, total } = this.recorder;
    return { COUNT: count, TOTAL: total, MAX: this.recorder.max() };
  }
}

export class CountedSeries implements Counter {
  #count = 0;

  constructor(readonly sink: Sink | undefined) {}

  increment(given = 1): void {
    const amount = numberOf(given);
    if (!(amount >= 0 && amount < Infinity)) return;
    this.#count += amount;
    if (this.sink !== undefined) this.sink(amount);
  }

  count(): number {
    return this.#count;
  }

  statistics(): Statistics {
    return { COUNT: this.#count };
  }
}

export class ReadSeries implements Gauge {
  constructor(readonly type: "counter" | "gauge", readonly read: () => number) {}

  value(): number {
    try {
      const value: unknown = this.read();
      // Not awaited: its failure has no receiver.
      if (isThenable(value)) value.then(() => {}, () => {});
      return numberOf(value);
    } catch {
      return NaN; // Those who read all meters are to see the others.
    }
  }

  statistics(): Statistics {
    const value = this.value();
    if (this.type === "gauge") return { VALUE: value };
    return value >= 0 ? { COUNT: value } : {};
  }
}
