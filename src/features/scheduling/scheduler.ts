import { errorOf } from "../../text/mod.ts";
import { ScheduleError } from "./schedule.ts";
import type { Task } from "./task.ts";
import { type Claim, type Clock, SYSTEM_CLOCK, type Tick, type Ticks } from "./ticks.ts";

/** Milliseconds between looks at the clock, which may be set. */
const LONGEST_WAIT_MS = 30_000;
const AFTER_FAILURE_MS = 1000;

/** Starts ticks when the application is ready. The last of its beans, so that it ends before the others. */
export class TaskScheduler {
  /**
   * The tasks by name.
   *
   * @internal
   */
  readonly tasks: Map<string, Task> = new Map();
  /** Why nothing starts any more. Edge isolates build beans where they may not have an `AbortController`. */
  #stopped: DOMException | undefined;
  readonly #running: Map<Tick, Running> = new Map();
  readonly #unrecorded: Set<[Tick, error?: string]> = new Set();
  #clock!: Clock;
  #ticks!: Ticks;
  #polling: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isStarted = false;
  #failedSince: number | undefined;
  #graceMs = LONGEST_WAIT_MS;
  #longestWaitMs = LONGEST_WAIT_MS;

  /** @internal */
  prepare(tasks: readonly Task[], ticks: Ticks, clock: Clock = SYSTEM_CLOCK): void {
    for (const task of tasks) {
      const other = this.tasks.get(task.name);
      if (other) {
        throw new ScheduleError(
          `Cannot schedule two tasks named '${task.name}': found '${other.place}' and '${task.place}'; give one of ` +
            "them another 'name'",
        );
      }
      this.tasks.set(task.name, task);
    }
    this.#clock = clock;
    this.#ticks = ticks;
    if (ticks.lease !== undefined) {
      this.#graceMs = ticks.lease * 1000;
      this.#longestWaitMs = this.#graceMs / 3;
    } else if (clock.isSteady) this.#longestWaitMs = Infinity;
  }

  /** Starts the tasks; `listen()` does. A second call does nothing. */
  async start(): Promise<void> {
    if (this.#isStarted || this.tasks.size === 0) return;
    this.#isStarted = true;
    await this.#poll();
  }

  /** Starts no tick any more, aborts the signals of those that run, and waits for these. */
  async stop(): Promise<void> {
    this.#stopped = new DOMException("The application is closed", "AbortError");
    for (const { abort } of this.#running.values()) abort(this.#stopped);
    this.#cancel?.();
    await this.#polling;
    await this.idle();
    await this.#record().catch(report);
  }

  /** Waits for the ticks that run in this process. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    }
  }

  /**
   * Claims and runs what has become due since the minute before: for platforms that call an application by a schedule,
   * whose finest is a minute.
   */
  async runDue(at: number): Promise<void> {
    const minute = Math.floor(at / 60_000) * 60_000;
    await this.#ticks.sync([...this.#running.keys()]);
    for (const task of this.tasks.values()) {
      const now = task.isDelayed ? this.#ticks.now : minute;
      const due = await task.dueAt(now, this.#ticks, minute - 60_000);
      if (due === undefined) continue;
      // The clock of the database may be behind.
      for (let tries = 0; tries < 5 && await this.#claim(task, due) === "early"; tries++) {
        await new Promise<void>((resolve) => void this.#clock.schedule(1000, resolve));
      }
    }
    await this.idle();
  }

  /**
   * The last tick of a task, on any replica.
   *
   * @internal
   */
  last(task: Task): Promise<Tick | undefined> {
    return this.#ticks.last(task.name);
  }

  /**
   * How long the table cannot be read, in milliseconds.
   *
   * @internal
   */
  get failingMs(): number {
    return this.#failedSince === undefined ? 0 : performance.now() - this.#failedSince;
  }

  #poll(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    return this.#polling ??= this.#look().finally(() => this.#polling = undefined);
  }

  async #look(): Promise<void> {
    let wait = AFTER_FAILURE_MS;
    try {
      await this.#record();
      wait = await this.#claimDue();
      this.#failedSince = undefined;
    } catch (error) {
      if (this.#failedSince === undefined) report(error);
      this.#failedSince ??= performance.now();
    }
    if (this.#stopped) return;
    this.#cancel = this.#clock.schedule(wait, () => this.#poll());
  }

  async #claimDue(): Promise<number> {
    const ticks = this.#ticks;
    const { lost, abandoned } = await ticks.sync([...this.#running.keys()]);
    for (const tick of lost) {
      const reason = "Another replica has recorded the tick as abandoned";
      this.#running.get(tick)?.abort(new DOMException(reason, "AbortError"));
    }
    for (const { name } of abandoned) this.tasks.get(name)?.meters?.abandoned.increment();
    let next = Infinity;
    for (const task of this.tasks.values()) {
      if (this.#stopped) break;
      const due = await task.dueAt(ticks.now, ticks, undefined, this.#graceMs);
      if (due !== undefined) await this.#claim(task, due);
      next = Math.min(next, task.next ?? Infinity);
    }
    return Math.max(0, Math.min(next - ticks.now, this.#longestWaitMs));
  }

  async #claim(task: Task, due: number): Promise<Claim> {
    const claim = await this.#ticks.claim(task.name, due, !task.isDelayed);
    if (claim === "early") task.next = due;
    else task.handled(due);
    if (claim === "skipped") task.meters?.skipped.increment();
    if (claim === "started") this.#start(task, due);
    return claim;
  }

  #start(task: Task, due: number): void {
    const tick: Tick = { name: task.name, due, state: "running", started: this.#ticks.now };
    const controller = new AbortController();
    const abort = (reason: unknown) => controller.abort(reason);
    // Closed while it was claimed.
    if (this.#stopped) abort(this.#stopped);
    const { timeout } = task.options;
    const late = () => abort(new DOMException(`Not done in ${timeout} s`, "TimeoutError"));
    const cancel = timeout && this.#clock.schedule(timeout * 1000, late);
    const ended = task.run(controller.signal).then(async (error) => {
      if (cancel) cancel();
      this.#unrecorded.add([tick, error]);
      await this.#record().catch(() => {}); // Tried again by the next look.
      this.#running.delete(tick);
      if (!task.isDelayed || !this.#isStarted || this.#stopped) return;
      Promise.resolve(this.#polling).then(() => this.#poll());
    });
    this.#running.set(tick, { abort, ended });
  }

  async #record(): Promise<void> {
    for (const end of this.#unrecorded) {
      await this.#ticks.end(...end);
      this.#unrecorded.delete(end);
    }
  }
}

interface Running {
  readonly abort: (reason: unknown) => void;
  readonly ended: Promise<void>;
}

function report(error: unknown): void {
  console.error(`Scheduled tasks cannot be started: ${errorOf(error).message}`, error);
}
