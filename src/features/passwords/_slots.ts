import { HttpError } from "../../http/mod.ts";

/** Runs a few pieces of work at a time, the others in their order. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  /** One processor is left to the event loop, and one of Node's four threads to files and name resolution. */
  #free = Math.min(Math.max((globalThis.navigator?.hardwareConcurrency ?? 2) - 1, 1), 3);

  /** @throws {HttpError} 503 if too much is waiting: clients would have left before it is done */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length < MOST_WAITING) {
      return new Promise((resolve) => this.#waiting.push(resolve));
    }
    throw new HttpError(503, "Too many passwords are being hashed", {
      headers: { "Retry-After": "1" },
    });
  }
}

/** About ten seconds of work for one processor. */
const MOST_WAITING = 100;
