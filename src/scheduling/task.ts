import { errorOf, printable } from "../text/mod.ts";
import type { TaskOptions } from "./decorator.ts";
import type { Schedule } from "./schedule.ts";
import type { Ticks } from "./ticks.ts";

/** Counts what becomes of ticks. */
export interface TaskMeters {
  ran(milliseconds: number, isDone: boolean): void;
  skipped(): void;
  abandoned(): void;
}

export interface TaskParts {
  readonly name: string;
  readonly call: (signal: AbortSignal) => unknown;
  /** A schedule, or milliseconds from the end of a tick to the next. */
  readonly timing: Schedule | number;
  /** The class and the method. */
  readonly place: string;
  readonly options: TaskOptions;
  readonly catchUp: boolean;
  readonly timeout?: number;
  readonly meters: (task: Task) => TaskMeters;
}

/** A method with `@Scheduled`, and what is known of its next tick. */
export class Task {
  readonly name: string;
  readonly timeout?: number;
  readonly meters: TaskMeters;
  /** The next instant that is known, in milliseconds since 1970. */
  next: number | undefined;
  /** The last instant about which nothing has to be done any more. */
  #handled: number | undefined;
  #looked = 0;

  constructor(readonly parts: TaskParts) {
    this.name = parts.name;
    this.meters = parts.meters(this);
    if (parts.timeout !== undefined) this.timeout = parts.timeout;
  }

  /** Whether ticks are counted from the end of the one before. */
  get isDelayed(): boolean {
    return typeof this.parts.timing === "number";
  }

  /**
   * The instant that is due now, and whether it was missed.
   *
   * @param since the instant after which it was due; by default the last that was handled
   */
  async dueAt(
    now: number,
    ticks: Ticks,
    since?: number,
    graceMs: number = Infinity,
  ): Promise<{ readonly due?: number; readonly isLate?: boolean }> {
    const { timing, catchUp } = this.parts;
    if (typeof timing === "number") return await this.#delayed(timing, now, ticks);
    if (now < this.#looked) {
      // The clock was set back: what it has shown already is claimed.
      this.#handled = Math.min(this.#handled ?? now, now);
      this.next = undefined;
    }
    this.#looked = now;
    if (since === undefined && this.next !== undefined && this.next > now) return {};
    this.#handled ??= (catchUp ? (await ticks.last(this.name))?.due : undefined) ?? now;
    const first = timing.next(since ?? this.#handled);
    this.next = first;
    if (first === undefined || first > now) return {};
    const due = timing.previous(now)!;
    this.next = timing.next(now);
    // No later replica takes it either: all wait for the next one.
    const isLate = !catchUp && now - due > graceMs;
    if (isLate) this.handled(due);
    return { due, isLate };
  }

  async #delayed(delay: number, now: number, ticks: Ticks): Promise<{ readonly due?: number }> {
    const last = await ticks.last(this.name);
    // It ends now at the earliest.
    const { ended = now } = last ?? {};
    // Ended in the future: the clock was set back.
    const due = last === undefined || ended > now ? now : ended + delay;
    this.next = due > now ? due : now + delay;
    return due > now ? {} : { due };
  }

  handled(due: number): void {
    this.#handled = Math.max(this.#handled ?? due, due);
  }

  /** Runs a tick to its end. @returns why it failed */
  async run(signal: AbortSignal): Promise<string | undefined> {
    const started = performance.now();
    let failure: string | undefined;
    try {
      await this.parts.call(signal);
    } catch (thrown) {
      const error = errorOf(thrown);
      failure = printable(`${error}`); // PostgreSQL has no text with U+0000.
      console.error(`The scheduled task '${this.name}' failed`, error);
    }
    this.meters.ran(performance.now() - started, failure === undefined);
    return failure;
  }
}
