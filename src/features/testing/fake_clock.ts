/**
 * A clock that a test sets forward, for `scheduling({ clock })`.
 *
 * ```ts ignore
 * const clock = new FakeClock("2027-01-01T00:00:00Z");
 * await using app = await testApplication({ components: [Cleaner], extensions: [scheduling({ clock })] });
 * await clock.advance(3600);
 * ```
 */
export class FakeClock {
  /** As it only goes forward. */
  readonly isSteady: boolean = true;
  #now: number;
  readonly #timers: Set<{ readonly at: number; readonly callback: () => unknown }> = new Set();

  /** @param start the first instant, as `Date` takes it @throws {RangeError} for what is none */
  constructor(start: string | number | Date = 0) {
    this.#now = new Date(start).getTime();
    if (Number.isNaN(this.#now)) {
      throw new RangeError(`Expected a date such as '2027-01-01T00:00:00Z', found '${start}'`);
    }
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#now;
  }

  /** Calls back when the clock is advanced so far. @returns what prevents that */
  schedule(milliseconds: number, callback: () => unknown): () => void {
    const timer = { at: this.#now + Math.max(0, milliseconds), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /**
   * Lets time pass, and starts what becomes due at its time. Tasks that wait for nothing else are done then; for others see
   * `TaskScheduler.idle()`.
   */
  async advance(seconds: number): Promise<void> {
    const end = this.#now + seconds * 1000;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      await next.callback();
      // Work that has started goes on until it waits.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    this.#now = end;
  }
}
