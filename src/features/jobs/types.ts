import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { InjectionTarget } from "../../container/mod.ts";
import type { TransactionManager } from "../transactions/mod.ts";

/** A job cannot be declared, enqueued or run so. */
export class JobError extends Error {
  override readonly name: string = "JobError";
}

/** How a job is run. Seconds are whole numbers. */
export interface JobOptions<S extends StandardSchemaV1 = StandardSchemaV1> {
  /** The schema of payloads: checked when a job is enqueued and, by the release that runs it, before it runs. */
  readonly schema?: S;
  /** How often a failed job runs again. @default 5 */
  readonly retry?: number;
  /** How long a failed job waits. */
  readonly backoff?: JobBackoff;
  /** How many run at the same time in one replica. @default 1 */
  readonly concurrency?: number;
  /** Seconds that a run may take, a day at most: then its signal is aborted, and it counts as failed. @default 900 */
  readonly timeout?: number;
  /** The name under which a job is enqueued again that has failed for good; there may be a method with `@Job` for it. */
  readonly deadLetter?: string;
}

/** Doubles with each attempt, with some randomness on PostgreSQL. */
export interface JobBackoff {
  /** Seconds after the first failure. @default 5 */
  readonly delay?: number;
  /** The most seconds, `delay` at least. @default 3600 */
  readonly max?: number;
}

/** One run of a job, beside its payload. */
export interface JobRun {
  /** The same for each attempt: a key for services that know idempotency keys. */
  readonly id: string;
  /** The name of the job. */
  readonly name: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted after `timeout`, when another replica has taken the job over, and at the end of the shutdown. */
  readonly signal: AbortSignal;
}

/** When a job runs, and which it is. */
export interface EnqueueOptions {
  /** Not before this time. @default at once */
  readonly at?: Date;
  /** Nothing is enqueued while a job of this name and key waits for its first run. @default none */
  readonly key?: string;
}

/** How many runs of `jobs.drain()` ended how. */
export interface DrainedJobs {
  /** Completed. */
  readonly completed: number;
  /** Failed, to run again later. */
  readonly failed: number;
  /** Failed for good. */
  readonly dead: number;
}

/**
 * Types of payloads by the names of jobs, for `enqueue()`: add to it by declaration merging. A name that is not in it takes
 * any payload.
 *
 * ```ts ignore
 * declare module "@irori/irori/jobs" {
 *   interface JobPayloads { "send-webhook": { readonly url: string } }
 * }
 * ```
 */
// deno-lint-ignore no-empty-interface
export interface JobPayloads {}

/** @internal */
export type PayloadOf<N extends string> = N extends keyof JobPayloads ? JobPayloads[N] : object;

/** Options of {@linkcode jobs}. */
export interface JobsOptions {
  /**
   * The database: the class or name of the bean, or the manager itself.
   *
   * @default the bean of the type `TransactionManager`
   */
  readonly manager?: TransactionManager | InjectionTarget<TransactionManager>;
  /**
   * Keeps jobs in the memory of this process, for tests and development: they are lost at its end. With a clock, such as a
   * `FakeClock` of `@irori/irori/testing`, `drain()` runs what is due by it.
   *
   * @default false
   */
  readonly memory?: boolean | { now(): number };
  /** Seconds between two looks for new jobs, 0.5 at least. @default 2 */
  readonly pollingInterval?: number;
  /** Seconds without a heartbeat after which the job of a replica runs again, 10 at least. @default 30 */
  readonly lease?: number;
  /** Options of the constructor of pg-boss. @internal */
  readonly engine?: Readonly<Record<string, unknown>>;
}

/** A method with `@Job`, of a bean. */
export interface JobHandler
  extends
    Pick<JobOptions, "schema" | "deadLetter">,
    Required<Pick<JobOptions, "retry" | "concurrency" | "timeout">> {
  readonly name: string;
  readonly backoff: Required<JobBackoff>;
  readonly label: string;
  call(payload: unknown, run: JobRun): unknown;
}

export type JobHandlers = ReadonlyMap<string, JobHandler>;

export type Enqueued = [name: string, payload: object, options: EnqueueOptions];

export interface JobEngine {
  /** Called once, when all handlers are known. @throws {JobError} when it cannot work */
  open(): Promise<void>;
  /** Takes part in the open transaction. @returns the id, or `undefined` when one of this key waits */
  enqueue(...job: Enqueued): Promise<string | undefined>;
  start(): Promise<void>;
  drain(): Promise<DrainedJobs>;
  /** Waits for what runs, and aborts it after these seconds. */
  stop(seconds: number): Promise<void>;
  /** @throws {Error} when jobs cannot be kept or run */
  check(): Promise<Readonly<Record<string, unknown>>>;
  /** How many jobs are due and wait, by name; as of some seconds ago. */
  waiting(): ReadonlyMap<string, number>;
}
