import type { ProcessUsage } from "../runtime/mod.ts";

/** Names and values that tell measurements of one meter apart. */
export type Tags = Readonly<Record<string, string>>;

/** One value of a meter, at the time it is asked for. */
export interface Measurement {
  readonly tags: Tags;
  /** Count and sum of a timer with its maximum of late; `VALUE` of everything else. */
  readonly statistics: Readonly<Partial<Record<"COUNT" | "TOTAL_TIME" | "MAX" | "VALUE", number>>>;
}

/** Something that is measured. */
export interface Meter {
  /** With dots, as Micrometer has it: `http.server.requests`. */
  readonly name: string;
  /** As Prometheus has it, unit included: `http_server_requests_seconds`. */
  readonly prometheus: string;
  readonly description: string;
  readonly unit: "seconds" | "bytes";
  readonly type: "timer" | "gauge" | "counter";
  measure(): readonly Measurement[];
}

/** Times of one combination of tags; adds up in seconds. */
export class Timer {
  count = 0;
  total = 0;
  #max = 0;
  #before = 0;
  #since = 0;

  constructor(readonly tags: Tags) {}

  /** @param start of what was timed, by `performance.now()`; @param end its end */
  record(start: number, end: number): void {
    const seconds = (end - start) / 1000;
    this.count++;
    this.total += seconds;
    if (end - this.#since > WINDOW_MS) this.#turn(end);
    if (seconds > this.#max) this.#max = seconds;
  }

  /** The longest of the last one to two minutes. */
  max(now: number): number {
    if (now - this.#since > WINDOW_MS) this.#turn(now);
    return Math.max(this.#max, this.#before);
  }

  #turn(now: number): void {
    this.#before = now - this.#since > 2 * WINDOW_MS ? 0 : this.#max;
    this.#max = 0;
    this.#since = now;
  }
}

const WINDOW_MS = 60_000;

/** A timer for each combination of tags. */
export class TimerMeter implements Meter {
  readonly type = "timer";
  readonly unit = "seconds";
  readonly #timers: Timer[] = [];

  constructor(readonly name: string, readonly prometheus: string, readonly description: string) {}

  /** A new timer, to be kept by whoever records with it. */
  timer(tags: Tags): Timer {
    const timer = new Timer(tags);
    this.#timers.push(timer);
    return timer;
  }

  measure(): readonly Measurement[] {
    const now = performance.now();
    return this.#timers.map((timer) => ({
      tags: timer.tags,
      statistics: { COUNT: timer.count, TOTAL_TIME: timer.total, MAX: timer.max(now) },
    }));
  }
}

/** What a process uses, named as by the client libraries of Prometheus. */
export function processMeters(usage: () => ProcessUsage): readonly Meter[] {
  const meter = (
    name: string,
    type: "gauge" | "counter",
    unit: Meter["unit"],
    description: string,
    value: (usage: ProcessUsage) => number,
  ): Meter => ({
    name,
    prometheus: `${name.replaceAll(".", "_")}_${unit}${type === "counter" ? "_total" : ""}`,
    description,
    unit,
    type,
    measure: () => [{ tags: {}, statistics: { VALUE: value(usage()) } }],
  });
  return [
    meter(
      "process.uptime",
      "gauge",
      "seconds",
      "The uptime of the process",
      (u) => u.uptimeSeconds,
    ),
    meter(
      "process.start.time",
      "gauge",
      "seconds",
      "Start time of the process since the Unix epoch",
      (u) => Date.now() / 1000 - u.uptimeSeconds,
    ),
    meter(
      "process.cpu",
      "counter",
      "seconds",
      "Processor time of the process",
      (u) => u.cpuSeconds,
    ),
    meter("process.resident.memory", "gauge", "bytes", "Resident memory", (u) => u.residentBytes),
    meter("process.heap", "gauge", "bytes", "Size of the script engine's heap", (u) => u.heapBytes),
    meter(
      "process.heap.used",
      "gauge",
      "bytes",
      "What is used of the heap",
      (u) => u.heapUsedBytes,
    ),
  ];
}
