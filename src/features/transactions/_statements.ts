import { rolledBack, TransactionError } from "./errors.ts";

/** Runs the statements of one transaction one after another. */
export class Statements {
  #last: Promise<unknown> = Promise.resolve();
  readonly #pending = new Set<Promise<unknown>>();
  #isClosed = false;
  #end?: TransactionError;

  /** @param endsTransaction whether the database rolls back when a statement fails so: what follows would be committed */
  constructor(readonly endsTransaction: (error: unknown) => boolean) {}

  run<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#isClosed) {
      return Promise.reject(
        new TransactionError("Cannot run a statement: its transaction has ended"),
      );
    }
    const next = async () => {
      if (this.#end) throw this.#end;
      return await statement().catch((error) => this.#failed(error));
    };
    const result = this.#last.then(next, next);
    this.#last = result;
    this.#pending.add(result);
    const done = () => void this.#pending.delete(result);
    result.then(done, done);
    return result;
  }

  #failed(error: unknown): never {
    if (error instanceof TransactionError) this.#end = error;
    else if (this.endsTransaction(error)) {
      this.#end = rolledBack("the database rolls back after this error, which was caught", error);
    }
    throw error;
  }

  /** Waits for statements that were not awaited. @throws {TransactionError} when nothing must be committed */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#pending).catch((cause) => {
      throw rolledBack("a statement in it failed that was not awaited", cause);
    });
    if (this.#end) throw this.#end;
  }

  async abandon(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pending);
  }
}
