import {
  afterCommit,
  current,
  transactional,
  type TransactionManager,
} from "../transactions/mod.ts";
import { attempt } from "./_attempt.ts";
import type { JobMeters } from "./_meters.ts";
import {
  type DrainedJobs,
  type Enqueued,
  type JobEngine,
  JobError,
  type JobHandler,
  type JobHandlers,
  type JobsOptions,
} from "./types.ts";

interface KeptJob {
  readonly id: string;
  readonly name: string;
  readonly payload: object;
  readonly key?: string;
  readonly attempt: number;
  /** In milliseconds, when it is due. */
  readonly due: number;
}

type Outcome = keyof DrainedJobs;

export class MemoryEngine implements JobEngine {
  #waiting: KeptJob[] = [];
  readonly #running = new Map<Promise<Outcome>, string>();
  readonly #stopping = new AbortController();
  #isStarted = false;
  #timer?: ReturnType<typeof setTimeout>;

  readonly #clock: { now(): number };

  constructor(
    readonly manager: TransactionManager | undefined,
    readonly handlers: JobHandlers,
    readonly meters: JobMeters,
    { memory }: JobsOptions,
  ) {
    this.#clock = typeof memory === "object" ? memory : Date;
  }

  open(): Promise<void> {
    console.warn("Jobs are kept in memory: they are lost when this process ends");
    return Promise.resolve();
  }

  // deno-lint-ignore require-await -- so that what it throws is a rejection
  async enqueue(...[name, payload, { at, key }]: Enqueued): Promise<string | undefined> {
    const letters = [...this.handlers.values()].map(({ deadLetter }) => deadLetter);
    if (!this.handlers.has(name) && !letters.includes(name)) {
      throw new JobError(`Cannot enqueue '${name}': no method has @Job("${name}")`);
    }
    const isWaiting = () =>
      key !== undefined &&
      this.#waiting.some((job) => job.name === name && job.key === key && job.attempt === 1);
    if (isWaiting()) return undefined;
    const id = crypto.randomUUID();
    const keep = () => {
      if (isWaiting()) return; // It was enqueued since then, as by the same transaction.
      const due = Math.max(at?.getTime() ?? 0, this.#clock.now());
      this.#keep({ id, name, payload, key, attempt: 1, due });
      this.meters.enqueued(name);
    };
    const { manager } = this;
    if (manager && current(manager) !== manager.connection) afterCommit(keep);
    else keep();
    return id;
  }

  #keep(job: KeptJob): void {
    this.#waiting.push(job);
    this.#look();
  }

  start(): Promise<void> {
    this.#isStarted = true;
    this.#look();
    return Promise.resolve();
  }

  #look(): void {
    if (!this.#isStarted || this.#stopping.signal.aborted) return;
    for (let job = this.#next(); job; job = this.#next()) this.#run(job);
    clearTimeout(this.#timer);
    const now = this.#clock.now();
    const next = Math.min(...this.#waiting.map(({ due }) => due).filter((due) => due > now));
    if (next < Infinity) {
      this.#timer = setTimeout(() => this.#look(), Math.min(next - now, LONGEST_TIMER));
    }
  }

  #next(): KeptJob | undefined {
    const busy = [...this.#running.values()];
    const index = this.#waiting.findIndex(({ name, due }) => {
      const { concurrency = 0 } = this.handlers.get(name) ?? {};
      return due <= this.#clock.now() && busy.filter((one) => one === name).length < concurrency;
    });
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  #run(job: KeptJob): Promise<Outcome> {
    const running = this.#perform(job, this.handlers.get(job.name)!);
    this.#running.set(running, job.name);
    running.then(() => {
      this.#running.delete(running);
      this.#look();
    });
    return running;
  }

  async #perform(job: KeptJob, handler: JobHandler): Promise<Outcome> {
    const { id, name, payload } = job;
    const { retry, timeout, backoff, deadLetter } = handler;
    const ending = new AbortController();
    const late = setTimeout(
      () => ending.abort(new JobError(`The job '${name}' took longer than ${timeout} s`)),
      timeout * 1000,
    );
    const signal = AbortSignal.any([ending.signal, this.#stopping.signal]);
    const isLast = job.attempt > retry;
    const run = { id, name, attempt: job.attempt, signal };
    const { manager, meters } = this;
    const around = (work: () => Promise<void>) =>
      manager ? transactional({ manager, timeout }, work) : work();
    const error = await attempt(handler, payload, run, isLast, around, meters);
    clearTimeout(late);
    if (error === undefined) return "completed";
    if (!isLast) {
      const seconds = Math.min(backoff.delay * 2 ** (job.attempt - 1), backoff.max);
      this.#keep({ ...job, attempt: job.attempt + 1, due: this.#clock.now() + seconds * 1000 });
      return "failed";
    }
    if (deadLetter) await this.enqueue(deadLetter, payload, {});
    return "dead";
  }

  async drain(): Promise<DrainedJobs> {
    const sum = { completed: 0, failed: 0, dead: 0 };
    for (let job = this.#next(); job || this.#running.size > 0; job = this.#next()) {
      sum[await (job ? this.#run(job) : this.#running.keys().next().value!)]++;
    }
    return sum;
  }

  async stop(seconds: number): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    const timer = setTimeout(
      () => this.#stopping.abort(new JobError("The application shuts down")),
      Math.max(0, seconds * 1000 - 500),
    );
    await Promise.all(this.#running.keys());
    clearTimeout(timer);
    this.#stopping.abort();
  }

  check(): Promise<Readonly<Record<string, unknown>>> {
    return Promise.resolve({ engine: "memory" });
  }

  waiting(): ReadonlyMap<string, number> {
    const due = this.#waiting.filter(({ due }) => due <= this.#clock.now());
    const byName = Map.groupBy(due, ({ name }) => name);
    return new Map([...byName].map(([name, jobs]) => [name, jobs.length]));
  }
}

/** Longer ones run at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
