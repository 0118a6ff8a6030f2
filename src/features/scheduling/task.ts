import type { MeterRegistry } from "../actuator/mod.ts";
import { errorOf, printable } from "../../text/mod.ts";
import type { TaskOptions } from "./decorator.ts";
import type { Schedule } from "./schedule.ts";
import type { Ticks } from "./ticks.ts";

export class Task {
  readonly name: string;
  /** Where the application has `actuator()`. */
  readonly meters?: TaskMeters;
  /** The next instant that is known, in milliseconds since 1970. */
  next: number | undefined;
  /** The last instant about which nothing has to be done any more. */
  #handled: number | undefined;
  #looked = 0;

  /** @param timing a schedule, or milliseconds from the end of a tick to the next */
  constructor(
    readonly place: string,
    readonly call: (signal: AbortSignal) => unknown,
    readonly timing: Schedule | number,
    readonly options: TaskOptions,
    registry?: MeterRegistry,
  ) {
    this.name = options.name ?? place;
    if (registry) this.meters = new TaskMeters(registry, this);
  }

  /** Whether ticks are counted from the end of the one before. */
  get isDelayed(): boolean {
    return typeof this.timing === "number";
  }

  /**
   * The instant that is due now, and whether it was missed.
   *
   * @param since the instant after which it was due, unless it catches up; by default the last that was handled
   */
  async dueAt(
    now: number,
    ticks: Ticks,
    since?: number,
    graceMs: number = Infinity,
  ): Promise<{ readonly due?: number; readonly isLate?: boolean }> {
    const { timing } = this;
    const catchUp = this.options.catchUp === "once";
    if (typeof timing === "number") return await this.#delayed(timing, now, ticks);
    if (now < this.#looked) {
      // The clock was set back: what it has shown already is claimed.
      this.#handled = Math.min(this.#handled ?? now, now);
      this.next = undefined;
    }
    this.#looked = now;
    if (since === undefined && this.next !== undefined && this.next > now) return {};
    const lastDue = async () => (catchUp ? await ticks.last(this.name) : undefined)?.due;
    const first = timing.next(
      since === undefined
        ? this.#handled ??= await lastDue() ?? now
        : Math.min(since, await lastDue() ?? since),
    );
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
    // Ended in the future, or before it was due: the clock was set back.
    const due = last === undefined || ended > now ? now : Math.max(ended, last.due) + delay;
    this.next = due > now ? due : now + delay;
    return due > now ? {} : { due };
  }

  handled(due: number): void {
    this.#handled = Math.max(this.#handled ?? due, due);
  }

  async run(signal: AbortSignal): Promise<string | undefined> {
    const started = performance.now();
    let failure: string | undefined;
    try {
      await this.call(signal);
    } catch (thrown) {
      const error = errorOf(thrown);
      failure = printable(`${error}`); // PostgreSQL has no text with U+0000.
      console.error(`The scheduled task '${this.name}' failed`, error);
    }
    this.meters?.ran(performance.now() - started, failure === undefined);
    return failure;
  }
}

class TaskMeters {
  #last = { seconds: NaN, isDone: NaN };

  constructor(readonly registry: MeterRegistry, readonly task: Task) {
    const gauge = (name: string, read: () => number) =>
      registry.gauge(`tasks.scheduled.${name}`, read, { task: task.name });
    gauge("next.timestamp", () => (task.next ?? NaN) / 1000);
    gauge("last.seconds", () => this.#last.seconds);
    gauge("last.success", () => this.#last.isDone);
    for (const outcome of ["SUCCESS", "ERROR"]) this.#timer(outcome);
    for (const name of ["skipped", "abandoned"] as const) this.count(name, 0);
  }

  ran(milliseconds: number, isDone: boolean): void {
    this.#timer(isDone ? "SUCCESS" : "ERROR").record(milliseconds);
    this.#last = { seconds: milliseconds / 1000, isDone: Number(isDone) };
  }

  count(name: "skipped" | "abandoned", amount = 1): void {
    const counter = this.registry.counter(`tasks.scheduled.${name}`, { task: this.task.name });
    counter.increment(amount);
  }

  #timer(outcome: string): ReturnType<MeterRegistry["timer"]> {
    return this.registry.timer("tasks.scheduled.execution", { task: this.task.name, outcome });
  }
}
