import { HttpError } from "../http/mod.ts";

/**
 * Limits the time that reading bodies takes. One timer looks at all of them: to set one for each request would cost
 * more than to read most bodies.
 */
export class Deadlines {
  /** In the order in which they end. */
  readonly #pending = new Set<Deadline>();
  #timer?: ReturnType<typeof setInterval>;
  #isStopped = false;
  /** The time, in checks: to ask for it costs too. */
  #now = 0;

  /** @param seconds how long a body may take; 0 for no limit */
  constructor(readonly seconds: number) {}

  /** @throws {HttpError} 408, as a rejection */
  keep<T>(reading: Promise<T>): Promise<T> {
    if (this.seconds === 0 || this.#isStopped) return reading;
    this.#timer ??= setInterval(() => this.#expire(), 1000 / CHECKS_A_SECOND);
    return new Promise((resolve, reject) => {
      const deadline = { at: this.#now + this.seconds * CHECKS_A_SECOND + 1, reject };
      this.#pending.add(deadline);
      reading.then((value) => {
        this.#pending.delete(deadline);
        resolve(value);
      }, (error) => {
        this.#pending.delete(deadline);
        reject(error);
      });
    });
  }

  /** Ends the timer, for good: who reads after that has as much time as it takes. */
  stop(): void {
    this.#isStopped = true;
    this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #expire(): void {
    this.#now++;
    for (const deadline of this.#pending) {
      if (deadline.at > this.#now) return;
      this.#pending.delete(deadline);
      deadline.reject(
        new HttpError(408, `The request body took longer than ${this.seconds} s`),
      );
    }
    // Not when each reading ends: to set a timer anew for most bodies costs more than to read them.
    if (this.#pending.size === 0) this.#rest();
  }
}

const CHECKS_A_SECOND = 4;

interface Deadline {
  readonly at: number;
  readonly reject: (error: HttpError) => void;
}
