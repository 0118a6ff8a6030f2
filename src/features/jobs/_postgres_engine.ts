import type { JobWithMetadata, PgBoss } from "pg-boss";
import { within } from "../../runtime/mod.ts";
import { errorOf } from "../../text/mod.ts";
import {
  afterCommit,
  current,
  PgTransactions,
  transactional,
  type TransactionManager,
} from "../transactions/mod.ts";
import { attempt, DONE_BEFORE } from "./_attempt.ts";
import type { JobMeters } from "./_meters.ts";
import { DONE, loadEngine, neededVersion, SCHEMA, transactionIn, unsuitable } from "./tables.ts";
import {
  type DrainedJobs,
  type Enqueued,
  type JobEngine,
  JobError,
  type JobHandler,
  type JobHandlers,
  type JobsOptions,
} from "./types.ts";

type Database =
  & TransactionManager
  & Required<Pick<TransactionManager, "execute" | "query">>
  & Pick<PgTransactions, "pool">;

/** How long a job may wait, and a dead letter is kept. */
const KEPT_SECONDS = 90 * 86_400;
/** A run takes a day at most, and a claim that is older is refused. */
const DONE_HOURS = 25;
const BATCH = 10_000;

/**
 * Takes the id of a job in the transaction of its method. Fails if another attempt has committed, or, with NULL, if the
 * claim has run out by the clock of the database. Waits for another attempt that has the id in an open transaction, which
 * the database ends soon after the time of a run if its process is stopped.
 */
function claimStatements(
  { id, name, startedOn }: JobWithMetadata,
  { timeout }: JobHandler,
): readonly [insert: string, limit: string] {
  // Parsers of the application may have made another class of it, or have left it as text.
  const started = JSON.stringify(startedOn).slice(1, -1);
  const end = `timestamptz '${started}' + interval '${timeout} s'`;
  return [
    `INSERT INTO ${DONE} (name, id) VALUES ('${name}', CASE WHEN clock_timestamp() < ${end} THEN uuid '${id}' END)`,
    `SET LOCAL idle_in_transaction_session_timeout = ${(timeout + 5) * 1000}`,
  ];
}

/** By the codes of PostgreSQL, which ORMs may keep in a cause. */
function failureOf(error: unknown, hasRun: boolean): unknown {
  const { code, schema, table, cause, message } = Object(error);
  if (hasRun) return LOST.test(message) ? new JobError(CANCELLED, { cause: error }) : error;
  if (`${schema}.${table}` !== DONE) return cause ? failureOf(cause, hasRun) : error;
  return code === "23505" ? DONE_BEFORE : new JobError("The claim of the job has run out");
}

/** The reason by which the engine aborts a signal. */
const LOST = /no longer active under this worker's claim$/;
const CANCELLED = "It was cancelled, or another replica has taken it over";

const CLEAN = `
WITH deleted AS (
  DELETE FROM ${DONE} WHERE ctid = ANY (ARRAY(
    SELECT o.ctid FROM ${DONE} o
    WHERE o.at < now() - interval '${DONE_HOURS} hours' AND NOT EXISTS (
      SELECT FROM ${SCHEMA}.job j WHERE j.name = o.name AND j.id = o.id AND j.state < 'completed'
    )
    LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT count(*)::int AS deleted FROM deleted`;

/** A pool and an ORM answer it alike, if both run it in the transaction of one database. */
const PROBE = "SELECT $2::text || $1::text AS texts, current_database()::text AS database, " +
  "extract(epoch FROM pg_postmaster_start_time())::text AS server, " +
  "current_setting('irori.probe', true) AS transaction";
const PROBED = "SET LOCAL irori.probe = 1";

export class PostgresEngine implements JobEngine {
  readonly #manager: Database;
  /** Runs what is not part of a transaction of the application, which ORMs would give in types of their own. */
  readonly #own: PgTransactions;
  #boss!: PgBoss;
  readonly #workers = new Map<string, Worker[]>();
  readonly #running = new Set<Promise<unknown>>();
  #waiting: ReadonlyMap<string, number> = new Map();
  #timers: ReturnType<typeof setInterval>[] = [];
  readonly #reported = new Map<string, number>();

  constructor(
    manager: TransactionManager,
    readonly handlers: JobHandlers,
    readonly meters: JobMeters,
    readonly options: JobsOptions,
  ) {
    const { dialect, query, execute, hasOneConnection, pool } = manager as Partial<Database>;
    const other = dialect && unsuitable(dialect);
    if (other || hasOneConnection) {
      const expected =
        "a PostgreSQL server; for tests and development write jobs({ memory: true })";
      throw new JobError(`Cannot run jobs on ${other || "PGlite"}: expected ${expected}`);
    }
    if (!dialect || !query || !execute || typeof pool?.connect !== "function") {
      throw new JobError(
        `Cannot run jobs with '${manager.constructor.name}': expected a transaction manager with 'dialect', query(), ` +
          "execute() and 'pool', a pool of 'pg', see 'ORMs' in the guide",
      );
    }
    this.#manager = manager as Database;
    this.#own = manager instanceof PgTransactions ? manager : new PgTransactions(pool);
  }

  async open(): Promise<void> {
    const { PgBoss } = await loadEngine();
    const { engine } = this.options;
    const bossFor = (migrate: boolean) =>
      new PgBoss({
        schema: SCHEMA,
        db: { executeSql: (text, values) => this.#execute(text, values) },
        ...{ createSchema: false, migrate, schedule: false, registerInstance: false },
        ...{ superviseIntervalSeconds: 15, monitorIntervalSeconds: 15 },
        ...engine,
      });
    this.#boss = bossFor(false);
    // Only one that may migrate accepts a newer schema, in which it finds nothing to migrate.
    if (await this.#requireSchema() === "newer") this.#boss = bossFor(true);
    const boss = this.#boss;
    boss.on("error", (error: unknown) => this.#report(error));
    await this.#requireQueries();
    try {
      await boss.start();
      await this.#declare();
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {}); // The first error is the cause.
      throw error;
    }
  }

  /** Scripts with a transaction run in one of the manager, which rolls back and gives the connection back clean. */
  async #execute(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<{ rows: Record<string, unknown>[] }> {
    const { connection } = this.#own;
    const script = transactionIn(text);
    if (script === undefined) return await connection.query(text, values);
    return await this.#own.run({}, async (connection) => {
      const results = [await connection.query(script)].flat();
      return { rows: results.flatMap(({ rows }) => rows ?? []) };
    });
  }

  async #requireQueries(): Promise<void> {
    const manager = this.#manager;
    if (manager === this.#own) return;
    const answerOf = (manager: Database): Promise<string> =>
      manager.run({}, async (connection) => {
        await manager.execute(connection, PROBED);
        return JSON.stringify(await manager.query(connection, PROBE, ["a", "b"]));
      });
    const [expected, actual] = [await answerOf(this.#own), await answerOf(manager)];
    if (actual === expected) return;
    throw new JobError(
      `Cannot run jobs with '${manager.constructor.name}': after '${PROBED}' by its execute(), its query() answers ` +
        `'${PROBE}' with ${actual}, and its 'pool' with ${expected}`,
    );
  }

  async #requireSchema(): Promise<"equal" | "newer"> {
    const boss = this.#boss;
    const write =
      "write a migration with 'irori new jobs-schema' and apply it with 'irori migrate'";
    if (!await boss.isInstalled()) {
      throw new JobError(`Cannot run jobs: the database has no schema '${SCHEMA}': ${write}`);
    }
    await this.#execute(`SELECT FROM ${DONE} LIMIT 0`).catch((cause) => {
      const reason = `the table '${DONE}' cannot be read: ${errorOf(cause).message}`;
      throw new JobError(`Cannot run jobs: ${reason}; if it is missing, ${write}`, { cause });
    });
    const found = await boss.schemaVersion();
    const needed = await neededVersion();
    if (found === needed) return "equal";
    const versions =
      `the schema '${SCHEMA}' has version ${found}, and the installed 'pg-boss' needs ${needed}`;
    if (Number(found) < needed) throw new JobError(`Cannot run jobs: ${versions}: ${write}`);
    console.warn(
      `Jobs run in a newer schema: ${versions}; update the package once the release is complete`,
    );
    return "newer";
  }

  /** Names of dead letters first, as others refer to them. */
  async #declare(): Promise<void> {
    const boss = this.#boss;
    const { lease = 30 } = this.options;
    const common = { retentionSeconds: KEPT_SECONDS, heartbeatSeconds: lease };
    const all = [...this.handlers.values()];
    const letters = new Set(all.flatMap(({ deadLetter }) => deadLetter ?? []));
    for (const name of letters) await boss.createQueue(name, { policy: "short", ...common });
    for (const { name, retry, backoff, timeout, deadLetter } of all) {
      const options = {
        ...common,
        ...{ retryLimit: retry, retryDelay: backoff.delay, expireInSeconds: timeout },
        ...(backoff.delay > 0 && { retryBackoff: true, retryDelayMax: backoff.max }),
      };
      await boss.createQueue(name, { policy: "short", ...options });
      await boss.updateQueue(name, { ...options, deadLetter: deadLetter ?? null } as object);
    }
  }

  async enqueue(...[name, payload, { at, key }]: Enqueued): Promise<string | undefined> {
    const manager = this.#manager;
    const connection = current(manager);
    const isOpen = connection !== manager.connection;
    const id = await this.#boss.send(name, payload, {
      // One without a key has one of its own, as one job of each key waits.
      singletonKey: key ?? crypto.randomUUID(),
      ...(at && at.getTime() > Date.now() && { startAfter: at }),
      db: {
        executeSql: async (text, values = []) =>
          isOpen
            ? { rows: [...await manager.query(connection, text, values)] }
            : await this.#execute(text, values),
      },
    }).catch((cause) => {
      if (cause?.code !== UNKNOWN_QUEUE) throw cause;
      throw new JobError(`Cannot enqueue '${name}': no method has @Job("${name}")`, { cause });
    });
    if (id === null) return undefined;
    const committed = () => {
      this.meters.enqueued(name);
      if (at === undefined) this.#wake(name);
    };
    if (isOpen) afterCommit(committed);
    else committed();
    return id;
  }

  /** Without a free connection, leases are not renewed while jobs run. */
  #checkPool(): void {
    const max = this.#manager.pool.options?.max ?? Infinity;
    const most = [...this.handlers.values()].reduce((sum, { concurrency }) => sum + concurrency, 0);
    if (most < max) return;
    console.warn(
      `Jobs may hold all ${max} connections of the pool: expected a 'max' above ${most}, the sum of 'concurrency'`,
    );
  }

  async start(): Promise<void> {
    const { pollingInterval = 2 } = this.options;
    this.#checkPool();
    for (const handler of this.handlers.values()) {
      const { name, concurrency } = handler;
      const workers: Worker[] = [];
      this.#workers.set(name, workers);
      for (let index = 0; index < concurrency; index++) {
        const worker: Worker = { id: "", isBusy: false };
        const work = async ([job]: JobWithMetadata[]) => {
          worker.isBusy = true;
          this.#wake(name); // There may be more.
          try {
            const running = this.#perform(handler, job!);
            this.#running.add(running);
            running.catch((error) => this.#report(error)).finally(() =>
              this.#running.delete(running)
            );
            return [await running];
          } finally {
            worker.isBusy = false;
            this.#boss.notifyWorker(worker.id);
          }
        };
        worker.id = await this.#boss.work(name, WORK, work as never);
        workers.push(worker);
      }
      this.#repeat(() => this.#wake(name), pollingInterval);
    }
    this.#repeat(() => this.#clean(), 60);
    this.#repeat(() => this.#count(), Number(this.options.engine?.monitorIntervalSeconds ?? 15));
    await Promise.all([this.#count(), this.#clean()]);
  }

  #repeat(work: () => unknown, seconds: number): void {
    const run = async () => await work();
    const timer = setInterval(() => run().catch((error) => this.#report(error)), seconds * 1000);
    this.#timers.push(timer);
  }

  /** Lets one that is idle look for jobs, so that a replica looks once however many it runs at a time. */
  #wake(name: string): void {
    const worker = this.#workers.get(name)?.find(({ isBusy }) => !isBusy);
    if (worker) this.#boss.notifyWorker(worker.id);
  }

  async #perform(
    handler: JobHandler,
    job: JobWithMetadata,
  ): Promise<{ id: string; status: "completed" | "failed"; output?: { error: string } }> {
    const { id, name, data, retryCount, signal } = job;
    const run = { id, name, attempt: retryCount + 1, signal };
    const claim = claimStatements(job, handler);
    let hasRun = false;
    const around = (work: () => Promise<void>) =>
      this.#inClaim(claim, handler, () => {
        hasRun = true;
        return work();
      }).catch((error) => {
        throw failureOf(error, hasRun);
      });
    const error = await attempt(handler, data, run, isLast(job), around, this.meters);
    return error === undefined
      ? { id, status: "completed" }
      : { id, status: "failed", output: { error } };
  }

  /** In a transaction that has taken the id of the job. */
  async #inClaim(
    [insert, limit]: ReturnType<typeof claimStatements>,
    { timeout }: JobHandler,
    work: () => Promise<void>,
  ): Promise<void> {
    const manager = this.#manager;
    const first = manager instanceof PgTransactions ? `${insert}; ${limit}` : undefined;
    await transactional({ manager, timeout, propagation: "requires-new", first }, async () => {
      if (first === undefined) { // By its rows, as ORMs have errors of their own.
        const taken = `${insert} ON CONFLICT DO NOTHING RETURNING id`;
        const connection = current(manager);
        if ((await manager.query(connection, taken, [])).length === 0) throw DONE_BEFORE;
        await manager.execute(connection, limit);
      }
      await work();
    });
  }

  async drain(): Promise<DrainedJobs> {
    const sum = { completed: 0, failed: 0, dead: 0 };
    for (let hasRun = true; hasRun;) {
      hasRun = false;
      for (const handler of this.handlers.values()) {
        for (const job of await this.#boss.fetch<object>(handler.name, { includeMetadata: true })) {
          hasRun = true;
          job.signal ??= new AbortController().signal;
          const { status, output } = await this.#perform(handler, job);
          if (status === "completed") await this.#boss.complete(handler.name, job);
          else await this.#boss.fail(handler.name, job, output);
          sum[status === "failed" && isLast(job) ? "dead" : status]++;
        }
      }
    }
    return sum;
  }

  async stop(seconds: number): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const timeout = Math.max(1000, seconds * 1000 - 2 * ENDING_MS);
    await this.#boss.stop({ graceful: seconds >= 2, timeout });
    // Those that were aborted roll back while there are connections.
    await within(Promise.allSettled(this.#running), ENDING_MS, undefined);
  }

  async check(): Promise<Readonly<Record<string, unknown>>> {
    return { engine: "pg-boss", schemaVersion: await this.#boss.schemaVersion() };
  }

  waiting(): ReadonlyMap<string, number> {
    return this.#waiting;
  }

  async #count(): Promise<void> {
    const queues = await this.#boss.getQueues();
    this.#waiting = new Map(queues.map(({ name, readyCount }) => [name, readyCount]));
  }

  async #clean(): Promise<void> {
    for (let deleted: unknown = BATCH; deleted === BATCH;) {
      deleted = (await this.#execute(CLEAN)).rows[0]?.deleted;
    }
  }

  /** Each once in a minute: an outage fails each look for jobs. The engine reports objects that are no errors, too. */
  #report(error: unknown): void {
    const { message } = error as Partial<Error>;
    const now = performance.now();
    if (now < (this.#reported.get(`${message}`) ?? -Infinity) + 60_000) return;
    if (this.#reported.size > 100) this.#reported.clear();
    this.#reported.set(`${message}`, now);
    console.error(`Cannot fetch or run jobs: ${message}`);
  }
}

function isLast({ retryCount, retryLimit }: JobWithMetadata): boolean {
  return retryCount >= retryLimit;
}

/** One of those that run jobs of a name at the same time. */
interface Worker {
  id: string;
  isBusy: boolean;
}

const ENDING_MS = 500;

const UNKNOWN_QUEUE = "PGBOSS_QUEUE_NOT_FOUND";

/** The engine's own pause: `#wake` ends it. */
const WORK = { pollingIntervalSeconds: 3600, includeMetadata: true, perJobResults: true } as const;
