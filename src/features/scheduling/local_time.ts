const DAY_MS = 86_400_000;

/** Times of the clocks on the walls of a time zone, as milliseconds since 1970 on these clocks. */
export class LocalTime {
  readonly #format: Intl.DateTimeFormat;

  /** @throws {RangeError} for an unknown time zone */
  constructor(readonly timeZone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    });
  }

  /** The local time at an instant, in whole seconds. */
  at(instant: number): number {
    const seconds = Math.floor(instant / 1000) * 1000;
    if (this.timeZone === "UTC") return seconds;
    const parts = this.#format.formatToParts(seconds).map(({ type, value }) => [type, +value]);
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts);
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /** The instant of a local time: the first of two, or the end of the gap that the clocks leave out. */
  instantOf(local: number): number {
    const [before, after] = [-DAY_MS, DAY_MS].map((day) => this.at(local + day) - local - day);
    const candidates = [local - before!, local - after!].sort((a, b) => a - b);
    const found = candidates.find((instant) => this.at(instant) === local);
    if (found !== undefined) return found;
    return this.#change(candidates[0]!, candidates[1]!);
  }

  /** The largest local time whose instant is not after another: what is left of the hour that clocks show twice is over. */
  passedAt(instant: number): number {
    const local = this.at(instant);
    const first = this.instantOf(local);
    const seconds = Math.floor(instant / 1000) * 1000;
    return first < seconds ? this.#change(first, seconds) + local - first - 1000 : local;
  }

  /** When clocks are set between two instants. */
  #change(low: number, high: number): number {
    const offset = this.at(low) - low;
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (this.at(middle) - middle === offset) low = middle;
      else high = middle;
    }
    return high;
  }
}
