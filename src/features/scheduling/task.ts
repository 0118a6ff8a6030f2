import type { Counter, MeterRegistry } from "../actuator/mod.ts";
import { errorOf, printable } from "../../text/mod.ts";
import type { TaskOptions } from "./decorator.ts";
import type { Schedule } from "./schedule.ts";
import type { Ticks } from "./ticks.ts";

export class Task {
  readonly name: string;
  /** Where the application has `actuator()`. */
  readonly meters?: {
    readonly skipped: Counter;
    readonly abandoned: Counter;
    ran(milliseconds: number, isDone: boolean): void;
  };
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
    if (registry) this.meters = metersOf(registry, this);
  }

  /** Whether ticks are counted from the end of the one before. */
  get isDelayed(): boolean {
    return typeof this.timing === "number";
  }

  /**
   * The instant that is due now, unless it was missed.
   *
   * @param since the instant after which it was due, unless it catches up; by default the last that was handled
   */
  async dueAt(
    now: number,
    ticks: Ticks,
    since?: number,
    graceMs: number = Infinity,
  ): Promise<number | undefined> {
    const { timing } = this;
    const catchUp = this.options.catchUp === "once";
    if (typeof timing === "number") return await this.#delayed(timing, now, ticks);
    if (now < this.#looked) {
      // The clock was set back: what it has shown already is claimed.
      this.#handled = Math.min(this.#handled ?? now, now);
      this.next = undefined;
    }
    this.#looked = now;
    if (since === undefined && this.next !== undefined && this.next > now) return undefined;
    const lastDue = async () => (catchUp ? await ticks.last(this.name) : undefined)?.due;
    const first = timing.next(
      since === undefined
        ? this.#handled ??= await lastDue() ?? now
        : Math.min(since, await lastDue() ?? since),
    );
    this.next = first;
    if (first === undefined || first > now) return undefined;
    const due = timing.previous(now)!;
    this.next = timing.next(now);
    // No later replica takes it either: all wait for the next one.
    if (catchUp || now - due <= graceMs) return due;
    this.handled(due);
    return undefined;
  }

  async #delayed(delay: number, now: number, ticks: Ticks): Promise<number | undefined> {
    const last = await ticks.last(this.name);
    // It ends now at the earliest.
    const { ended = now } = last ?? {};
    // Ended in the future, or before it was due: the clock was set back.
    const due = last === undefined || ended > now ? now : Math.max(ended, last.due) + delay;
    this.next = due > now ? due : now + delay;
    return due > now ? undefined : due;
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

/** All are registered at once, so that they are there with 0. */
function metersOf(registry: MeterRegistry, task: Task) {
  const tags = { task: task.name };
  let last = { seconds: NaN, isDone: NaN };
  const gauge = (name: string, read: () => number) =>
    registry.gauge(`tasks.scheduled.${name}`, read, tags);
  gauge("next.timestamp", () => (task.next ?? NaN) / 1000);
  gauge("last.seconds", () => last.seconds);
  gauge("last.success", () => last.isDone);
  const timer = (outcome: string) =>
    registry.timer("tasks.scheduled.execution", { ...tags, outcome });
  const [done, failed] = [timer("SUCCESS"), timer("ERROR")];
  const counter = (name: string) => registry.counter(`tasks.scheduled.${name}`, tags);
  return {
    skipped: counter("skipped"),
    abandoned: counter("abandoned"),
    ran(milliseconds: number, isDone: boolean) {
      (isDone ? done : failed).record(milliseconds);
      last = { seconds: milliseconds / 1000, isDone: Number(isDone) };
    },
  };
}
