import { broughtBy } from "../../container/mod.ts";
import { refuseUnknownOptions } from "../../text/mod.ts";
import { checkedPayload } from "./_payload.ts";
import {
  type DrainedJobs,
  type EnqueueOptions,
  type JobEngine,
  JobError,
  type JobHandler,
  type PayloadOf,
} from "./types.ts";

/**
 * Enqueues jobs, which methods with {@linkcode Job} run: a bean where an application has {@linkcode jobs}.
 *
 * ```ts ignore
 * @Transactional()
 * async place(order: Order): Promise<void> {
 *   await this.orders.insert(order);
 *   await this.jobs.enqueue("send-webhook", { orderId: order.id }); // Runs only if the transaction commits.
 * }
 * ```
 */
export abstract class Jobs {
  /**
   * Keeps a job: with the transaction that is open, or at once. It runs in any replica that has a method for it.
   *
   * @param payload what JSON can hold
   * @returns its id, or `undefined` when a job of the same name and `key` waits
   * @throws {JobError} for a name that no replica has ever had, and for a payload that does not fit its schema
   */
  abstract enqueue<N extends string>(
    name: N,
    payload: PayloadOf<N>,
    options?: EnqueueOptions,
  ): Promise<string | undefined>;

  /** Begins to run jobs. `app.listen()` calls it: for programs that do not listen. */
  abstract start(): Promise<void>;

  /**
   * Runs all jobs that are due, those that they enqueue included, one after another: for tests, which do not listen.
   *
   * @returns how many runs ended how
   */
  abstract drain(): Promise<DrainedJobs>;
}

broughtBy(Jobs, "the extension jobs() of '@irori/irori/jobs'");

/** As PostgreSQL keeps and indexes them. */
const KEY = /^[^\0\p{Cs}]{1,500}$/u;

/** The bean. Its engine is there once all methods with `@Job` are known. */
export class JobRuntime extends Jobs {
  readonly #handlers = new Map<string, JobHandler>();
  #engine?: JobEngine;
  #started?: Promise<void>;

  get handlers(): ReadonlyMap<string, JobHandler> {
    return this.#handlers;
  }

  get engine(): JobEngine {
    if (this.#engine) return this.#engine;
    throw new JobError(
      "Cannot use jobs while the application is built: enqueue them in @OnReady() methods, handlers or other jobs",
    );
  }

  /** @throws {JobError} for two methods of one name */
  register(handler: JobHandler): void {
    const { name, label } = handler;
    const other = this.#handlers.get(name);
    if (other === undefined && !this.#engine) return void this.#handlers.set(name, handler);
    throw new JobError(
      other
        ? `Cannot declare the job '${name}' by '${label}': '${other.label}' declares it already; the bean has to be a singleton`
        : `Cannot declare the job '${name}' by '${label}' after the start: its bean has to be a singleton`,
    );
  }

  async open(engine: JobEngine): Promise<void> {
    await engine.open();
    this.#engine = engine;
  }

  async enqueue(
    name: string,
    payload: object,
    options: EnqueueOptions = {},
  ): Promise<string | undefined> {
    requireName(name);
    const refuse = (reason: string) => new JobError(`Cannot enqueue '${name}': ${reason}`);
    refuseUnknownOptions(options, ["at", "key"], refuse);
    const { at, key } = options;
    if (at !== undefined && !(at instanceof Date && at.getUTCFullYear() < 10_000)) {
      throw refuse(`expected a Date before the year 10000 as 'at', found '${at}'`);
    }
    if (key !== undefined && !(typeof key === "string" && KEY.test(key))) {
      throw refuse(
        "expected a text of 1 to 500 characters, without U+0000 and halves of surrogate pairs, as 'key'",
      );
    }
    const handler = this.#handlers.get(name);
    return await this.engine.enqueue(name, await checkedPayload(name, handler, payload), options);
  }

  start(): Promise<void> {
    return this.#started ??= this.engine.start();
  }

  drain(): Promise<DrainedJobs> {
    return this.engine.drain();
  }

  async stop(seconds: number): Promise<void> {
    await this.#engine?.stop(seconds);
  }
}

/** @throws {JobError} */
export function requireName(name: string): void {
  if (typeof name === "string" && /^(?!__)[\w.\-/]{1,200}$/.test(name)) return;
  throw new JobError(
    `Cannot use '${name}' as the name of a job: expected 1 to 200 letters, digits, '_', '-', '.' and '/', and no '__' at the start`,
  );
}
