import { within } from "../../runtime/mod.ts";
import { errorOf } from "../../text/mod.ts";
import { depthOf } from "./_transaction.ts";
import { ConnectionUnavailableError } from "./errors.ts";
import type { TransactionManager } from "./manager.ts";

const ACQUIRE_SECONDS = 5;
const LATE: unique symbol = Symbol("late");

/**
 * A connection of a pool.
 *
 * @throws {ConnectionUnavailableError} when there is none in time; the message names the size of the pool, and how many
 * connections the caller holds
 */
export async function connectionOf<D extends { release(): void }>(
  connecting: Promise<D>,
  manager: TransactionManager,
  seconds: number = ACQUIRE_SECONDS,
  size: number | string = "unknown size",
): Promise<D> {
  const depth = depthOf(manager);
  const fail = (reason: string, cause?: unknown) => {
    const held = depth && `; the caller holds ${depth}, as each "requires-new" takes another one`;
    throw new ConnectionUnavailableError(
      `Cannot get a connection to the database from the pool of ${size}${held || ""}: ${reason}`,
      { cause },
    );
  };
  const found = await within(connecting, seconds * 1000, LATE)
    .catch((error) => fail(errorOf(error).message, error));
  if (found !== LATE) return found;
  connecting.then((connection) => connection.release(), () => {});
  return fail(`none was free within ${seconds} s`);
}

/** One connection for all: lets in one after another. */
export class Lock {
  #last: Promise<void> | undefined;

  constructor(readonly seconds: number = ACQUIRE_SECONDS) {}

  /** @returns what lets in the next @throws {ConnectionUnavailableError} when others take too long */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    const release = () => {
      if (this.#last === promise) this.#last = undefined;
      resolve();
    };
    if (!before || await within(before, this.seconds * 1000, LATE) !== LATE) return release;
    before.then(release);
    throw new ConnectionUnavailableError(
      `Cannot use the connection to the database: an open transaction held it for ${this.seconds} s; a statement ` +
        "inside of a transaction waits for it as well where the async context was lost, such as in an event listener",
    );
  }

  async run<T>(action: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    return await action().finally(release);
  }
}
