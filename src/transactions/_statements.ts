import { rolledBack, TransactionError } from "./errors.ts";

/** Runs the statements of one connection one after another. */
export class Statements {
  #last: Promise<unknown> = Promise.resolve();
  readonly #pending = new Set<Promise<unknown>>();
  #isClosed = false;

  run<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#isClosed) {
      return Promise.reject(
        new TransactionError("Cannot run a statement: its transaction has ended"),
      );
    }
    const next = () => statement();
    const result = this.#last.then(next, next);
    this.#last = result;
    this.#pending.add(result);
    const done = () => void this.#pending.delete(result);
    result.then(done, done);
    return result;
  }

  /** Waits for statements that were not awaited. @throws {TransactionRolledBackError} when one of them fails */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await Promise.all(this.#pending);
    } catch (cause) {
      throw rolledBack("a statement in it failed that was not awaited", cause);
    }
  }

  async abandon(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pending);
  }
}
