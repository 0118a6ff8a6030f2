import { pause } from "../../runtime/retry.ts";
import type { Scope } from "./_transaction.ts";
import type { TransactionOptions } from "./options.ts";
import { isRetryable } from "./outcome.ts";

/** How often the outermost transaction may still run again. */
export class Retries {
  #count = 0;
  readonly #most: number;

  /** @param mayRepeat whether the work has used up nothing that it needs again */
  constructor(
    outer: Scope | undefined,
    { retry = 0 }: TransactionOptions,
    readonly mayRepeat: () => boolean = () => true,
  ) {
    this.#most = isInside(outer) ? 0 : retry;
  }

  /** Waits before each repetition, so that transactions that hindered each other do not meet again. */
  async run<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (this.#count >= this.#most || !isRetryable(error) || !this.mayRepeat()) throw error;
        await pause(Math.random() * Math.min(5 * 2 ** this.#count++, 500));
      }
    }
  }
}

function isInside(scope: Scope | undefined): boolean {
  return scope !== undefined && (scope.transaction?.isEnded === false || isInside(scope.outer));
}
