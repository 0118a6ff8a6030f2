import { GoingAway, HttpError } from "../../http/mod.ts";
import { Link, Ring } from "./ring.ts";

/**
 * Bodies that are being read: limits the time that one takes which is read as a whole, and fails all of them when the
 * server ends. One timer looks at all: to set one for each request would cost more than to read most bodies.
 */
export class Readings {
  readonly #limited = new Ring<Reading>();
  readonly #unlimited = new Ring<Reading>();
  #timer?: ReturnType<typeof setInterval>;
  #isStopped = false;
  #ticks = 0;

  constructor(readonly seconds: number) {}

  inTime<T>(reading: Promise<T>): Promise<T> {
    if (this.seconds === 0 || this.#isStopped) return this.untilCut(reading);
    this.#timer ??= setInterval(() => this.#tick(), 1000 / TICKS_A_SECOND);
    return keep(reading, this.#limited, this.#ticks + this.seconds * TICKS_A_SECOND + 1);
  }

  untilCut<T>(reading: Promise<T>): Promise<T> {
    return keep(reading, this.#unlimited, Infinity);
  }

  cut(): void {
    const cause = new GoingAway();
    for (const { reject } of [...this.#limited, ...this.#unlimited]) {
      reject(new HttpError(503, cause.message, { cause }));
    }
  }

  /** Ends the timer, for good: who reads after that has as much time as it takes. */
  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.#ticks++;
    for (const reading of this.#limited) {
      if (reading.at > this.#ticks) return;
      reading.unlink();
      reading.reject(new HttpError(408, `The request body took longer than ${this.seconds} s`));
    }
    // Not when each reading ends: setting a timer costs more than reading most bodies.
    if (this.#limited.isEmpty) this.#stopTimer();
  }
}

function keep<T>(reading: Promise<T>, among: Ring<Reading>, at: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const kept = new Reading(at, reject);
    among.add(kept);
    const unlink = () => kept.unlink();
    reading.then(unlink, unlink);
    reading.then(resolve, reject);
  });
}

const TICKS_A_SECOND = 4;

class Reading extends Link {
  constructor(readonly at: number, readonly reject: (error: HttpError) => void) {
    super();
  }
}
