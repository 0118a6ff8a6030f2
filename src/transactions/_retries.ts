import { isRetryable } from "./outcome.ts";

/** How often a transaction may still run again. */
export class Retries {
  #count = 0;

  /** @param mayRepeat whether the work has used up nothing that it needs again */
  constructor(readonly most = 0, readonly mayRepeat: () => boolean = () => true) {}

  /** Whether to run again after a failure; waits, so that transactions that hindered each other do not meet again. */
  async allow(error: unknown): Promise<boolean> {
    if (this.#count >= this.most || !isRetryable(error) || !this.mayRepeat()) return false;
    const milliseconds = Math.random() * Math.min(5 * 2 ** this.#count++, 500);
    await new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));
    return true;
  }

  async run<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!await this.allow(error)) throw error;
      }
    }
  }
}
