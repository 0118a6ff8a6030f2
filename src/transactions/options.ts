import type { TransactionManager } from "./manager.ts";
import { TransactionError } from "./errors.ts";

/** What a transaction is begun with. */
export interface TransactionSettings {
  /** @default that of the database */
  readonly isolation?:
    | "read uncommitted"
    | "read committed"
    | "repeatable read"
    | "serializable";
  /** Lets the database refuse writes. @default false */
  readonly readOnly?: boolean;
  /**
   * Seconds after which no statement and no commit follows; drivers let the database stop a statement that takes as
   * long. @default none
   */
  readonly timeout?: number;
}

/** How a call takes part in transactions. A call that joins an open transaction ignores all but `propagation`. */
export interface TransactionOptions extends TransactionSettings {
  /**
   * - `"required"` joins an open transaction, or begins one.
   * - `"requires-new"` begins one with a connection of its own.
   * - `"nested"` begins one at a savepoint of an open transaction, or begins one.
   *
   * @default "required"
   */
  readonly propagation?: "required" | "requires-new" | "nested";
  /**
   * How often a transaction is run again after a serialization failure or a deadlock. Acts on the outermost transaction
   * only, and not after the body of the request was read as a stream.
   *
   * @default 0
   */
  readonly retry?: number;
}

/** @internal */
export type Managed = TransactionOptions & { readonly manager: TransactionManager };

/** @throws {TransactionError} for what no compiler has checked; `isolation` becomes SQL */
export function checkOptions(options: TransactionOptions): void {
  const { propagation, isolation, timeout, retry } = options;
  const refuse = (name: string, expected: string, found: unknown) => {
    throw new TransactionError(
      `Cannot use '${name}' of a transaction: expected ${expected}, found '${found}'`,
    );
  };
  const choose = (name: string, words: readonly string[], found: string | undefined) => {
    if (found === undefined || words.includes(found)) return;
    refuse(name, words.map((word) => `"${word}"`).join(", "), found);
  };
  choose("propagation", ["required", "requires-new", "nested"], propagation);
  choose("isolation", LEVELS, isolation);
  if (timeout !== undefined && !(timeout > 0 && timeout < MOST_SECONDS)) {
    refuse("timeout", "seconds", timeout);
  }
  if (retry !== undefined && !(Number.isSafeInteger(retry) && retry >= 0)) {
    refuse("retry", "a number of attempts", retry);
  }
}

const LEVELS = ["read uncommitted", "read committed", "repeatable read", "serializable"];
/** 24 days: longer limits do not fit into the milliseconds of databases and timers. */
const MOST_SECONDS = 2 ** 31 / 1000;
