import { within } from "../runtime/mod.ts";
import { errorOf } from "../text/mod.ts";
import { depthOf } from "./_transaction.ts";
import { ConnectionUnavailableError } from "./errors.ts";
import type { TransactionManager } from "./manager.ts";

/** Options of the managers of drivers. */
export interface ManagerOptions {
  /** Seconds to wait for a connection. @default 5 */
  readonly acquireTimeout?: number;
}

const ACQUIRE_SECONDS = 5;
const LATE: unique symbol = Symbol("late");

/**
 * A connection of a pool.
 *
 * @throws {ConnectionUnavailableError} when there is none in time; the message names the size of the pool, and how many
 * connections the caller holds
 */
export async function connectionOf<C extends { release(): void }>(
  connecting: Promise<C>,
  manager: TransactionManager,
  { acquireTimeout = ACQUIRE_SECONDS }: ManagerOptions,
  size: number | undefined,
): Promise<C> {
  const depth = depthOf(manager);
  const fail = (reason: string, cause?: unknown) => {
    const held = depth === 0
      ? ""
      : `; the caller holds ${depth}, as each "requires-new" takes another one`;
    const pool = size === undefined ? "the pool" : `the pool of ${size}`;
    throw new ConnectionUnavailableError(
      `Cannot get a connection to the database from ${pool}${held}: ${reason}`,
      { cause },
    );
  };
  const found = await within(connecting, acquireTimeout * 1000, LATE)
    .catch((error) => fail(errorOf(error).message, error));
  if (found !== LATE) return found;
  connecting.then((connection) => connection.release(), () => {});
  return fail(`none was free within ${acquireTimeout} s`);
}

/** One connection for all: lets in one after another. */
export class Lock {
  #last: Promise<void> | undefined;

  constructor(readonly seconds: number = ACQUIRE_SECONDS) {}

  /**
   * Runs an action alone.
   *
   * @throws {ConnectionUnavailableError} when others take too long
   */
  async run<T>(action: () => T | PromiseLike<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    const release = () => {
      if (this.#last === promise) this.#last = undefined;
      resolve();
    };
    if (before && await within(before, this.seconds * 1000, LATE) === LATE) {
      before.then(release);
      throw new ConnectionUnavailableError(
        `Cannot use the connection to the database: an open transaction held it for ${this.seconds} s; a statement ` +
          "inside of a transaction waits for it as well where the async context was lost, such as in an event listener",
      );
    }
    try {
      return await action();
    } finally {
      release();
    }
  }
}
