import { pause } from "../../migrations/runner/mod.ts";
import { orAborted } from "../../runtime/mod.ts";

/** The pause lasted too long: writers go on, and the switch is tried again. The message is a clause that says why. */
export class PauseOverError extends Error {}

/** The time in which writes are blocked. When it is over, writers go on, whatever the run still waits for. */
export class WritePause {
  #since: number | undefined;
  #limit = new AbortController();
  #work: Promise<unknown> = Promise.resolve();

  constructor(private readonly signal: AbortSignal | undefined) {}

  begin(limitMs: number): void {
    this.#since = performance.now();
    const limit = this.#limit;
    const why = `writers would have had to wait longer than ${limitMs / 1000} s: allow a longer ` +
      "'migrations.write_pause', or run it when less is written and deleted";
    const ends = [this.signal, limit.signal].filter((one) => one !== undefined);
    pause(limitMs, AbortSignal.any(ends)).then(
      () => limit.abort(new PauseOverError(why)),
      (reason) => limit.abort(reason),
    );
  }

  /** @throws {unknown} what `work` throws, or the reason for which the pause is over */
  async within<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    const done = work();
    this.#work = done;
    return await orAborted(done, this.#limit.signal);
  }

  check(): void {
    this.signal?.throwIfAborted();
    this.#limit.signal.throwIfAborted();
  }

  stop(error: Error): void {
    this.#limit.abort(error);
  }

  /** Waits for the rest of the work, which the next round must not meet. @returns how many milliseconds writers waited */
  async end(): Promise<number | undefined> {
    const lastedMs = this.#since === undefined ? undefined : performance.now() - this.#since;
    this.#limit.abort();
    await this.#work.catch(() => {});
    this.#limit = new AbortController();
    this.#since = undefined;
    return lastedMs;
  }
}
