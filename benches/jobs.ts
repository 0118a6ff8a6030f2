/**
 * Measures the cost of jobs beside the bare engine: the same jobs, with the same settings, by turns. `--memory 1000000`
 * runs as many more, and compares the heap before and after. Ends with 1 when a bound is not kept.
 *
 * @module
 */
import { PgBoss } from "pg-boss";
import pg from "npm:pg@^8.23.0";
import { Bean, bootstrap, Configuration, inject, Service } from "irori";
import { Job, Jobs, jobs } from "irori/jobs";
import { current, PgTransactions } from "irori/transactions";
import { jobsSchema } from "../src/features/jobs/tables.ts";
import { machine } from "./machine.ts";
import { postgreSql } from "./servers.ts";
import { type Figure, median, report } from "./web/report.ts";

const JOBS = 1000;
const ROUNDS = 9;
const CONCURRENCY = 8;
const SQL = "INSERT INTO effects (n) VALUES ($1)";

let isOver = false;
await using server = await postgreSql();
const admin = new pg.Client({ connectionString: server.url });
await admin.connect();
await admin.query("DROP SCHEMA IF EXISTS irori_jobs CASCADE; DROP SCHEMA IF EXISTS pgboss CASCADE");
await admin.query(
  `DROP TABLE IF EXISTS effects; CREATE TABLE effects (n int); ${await jobsSchema()}`,
);

/** Tells when as many jobs have run as were enqueued. */
class Progress {
  #left = 0;
  #done = Promise.withResolvers<void>();

  expect(count: number): Promise<void> {
    this.#left = count;
    this.#done = Promise.withResolvers();
    return this.#done.promise;
  }

  ran(): void {
    if (--this.#left === 0) this.#done.resolve();
  }
}

const progress = new Progress();

@Configuration()
class Connections {
  @Bean({ type: PgTransactions, destroy: false })
  database(): PgTransactions {
    return new PgTransactions(new pg.Pool({ connectionString: server.url, max: 20 }));
  }
}

@Service()
class Effects {
  readonly database = inject(PgTransactions);

  @Job("effect", { concurrency: CONCURRENCY })
  async run({ n }: { readonly n: number }): Promise<void> {
    await current(this.database).query(SQL, [n]);
    progress.ran();
  }
}

interface Side {
  readonly name: string;
  readonly schema: string;
  readonly queue: string;
  /** Called where jobs wait. */
  wake(): void;
}

/** As applications with the engine alone would have it: a transaction, and looks without a pause. */
async function bare(name: string, isTransactional: boolean): Promise<Side> {
  const queue = isTransactional ? "transactional" : "bare";
  const boss = new PgBoss({ connectionString: server.url, max: 20, schedule: false });
  boss.on("error", (error) => isOver || console.error(error));
  await boss.start();
  await boss.createQueue(queue, { policy: "short", heartbeatSeconds: 30 });
  const pool = new pg.Pool({ connectionString: server.url, max: 20 });
  const ids: string[] = [];
  for (let index = 0; index < CONCURRENCY; index++) {
    let id = "";
    const options = { pollingIntervalSeconds: 2 } as const;
    const found = () => boss.notifyWorker(id);
    id = isTransactional
      ? await boss.work<{ n: number }, void, { transactional: true }>(
        queue,
        { ...options, transactional: true as const },
        async ([job], db) => {
          found();
          await db.executeSql(SQL, [job!.data.n]);
          progress.ran();
        },
      )
      : await boss.work<{ n: number }>(queue, options, async ([job]) => {
        found();
        const client = await pool.connect();
        await client.query("BEGIN");
        await client.query(SQL, [job!.data.n]);
        await client.query("COMMIT");
        client.release();
        progress.ran();
      });
    ids.push(id);
  }
  return { name, schema: "pgboss", queue, wake: () => ids.forEach((id) => boss.notifyWorker(id)) };
}

/** From the commit of the jobs, which workers may see at once, to the last run. */
async function timed({ schema, queue, wake }: Side, count: number): Promise<number> {
  await admin.query(`TRUNCATE effects; DELETE FROM ${schema}.job WHERE name = '${queue}'`);
  await admin.query(`VACUUM ${schema}.job_common`);
  const done = progress.expect(count);
  await admin.query(
    `INSERT INTO ${schema}.job (name, data, policy, singleton_key, heartbeat_seconds)
    SELECT '${queue}', jsonb_build_object('n', n), 'short', gen_random_uuid()::text, 30
    FROM generate_series(1, ${count}) n`,
  );
  const started = performance.now();
  wake();
  await done;
  const milliseconds = performance.now() - started;
  // The one that has woken up the workers.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return milliseconds;
}

const app = await bootstrap({
  components: [Connections, Effects],
  extensions: [jobs(), () => ({ log: () => {}, info: () => {} })],
  config: { server: { address: "127.0.0.1", port: 0 } },
});
await app.context.get(Jobs).start();
const own: Side = {
  name: "irori",
  schema: "irori_jobs",
  queue: "effect",
  // Wakes up as a job of its own does.
  wake: () => void app.context.get(Jobs).enqueue("effect", { n: 0 }),
};
const sides = [
  own,
  await bare("pg-boss, a transaction by hand", false),
  await bare("pg-boss, transactional", true),
];
const times = sides.map((): number[] => []);
for (let round = 0; round <= ROUNDS; round++) {
  for (const [index, side] of sides.entries()) {
    const milliseconds = await timed(side, JOBS);
    if (round > 0) times[index]!.push(milliseconds); // The first is not counted.
  }
}
const [ownTimes = [], ...bareTimes] = times;
const figures: Figure[] = bareTimes.map((all, index) => ({
  name: `${JOBS} jobs, beside ${sides[index + 1]!.name}`,
  value: median(all.map((time, round) => ownTimes[round]! / time)),
  unit: "× its time",
  bound: { atMost: 1.2 },
  note: `${rate(ownTimes)} and ${rate(all)} jobs in a second`,
}));
const [option, count] = Deno.args;
if (option === "--memory") figures.push(await memory(Number(count ?? 1_000_000)));
if (!report(figures)) Deno.exitCode = 1;
console.log(machine());
// Its connections end with it, and would say so.
isOver = true;
console.error = () => {};
addEventListener("error", (event) => event.preventDefault());
await server[Symbol.asyncDispose]();
Deno.exit();

function rate(times: readonly number[]): string {
  return (JOBS / median(times) * 1000).toFixed();
}

/** In bytes of the heap after a collection: at the beginning, and at the end of many jobs. */
async function memory(count: number): Promise<Figure> {
  const heap = () => {
    (globalThis as { gc?: () => void }).gc?.();
    return Deno.memoryUsage().heapUsed / 2 ** 20;
  };
  const batch = 20_000;
  await timed(own, batch);
  const before = heap();
  for (let done = 0; done < count; done += batch) await timed(own, batch);
  const after = heap();
  return {
    name: `heap after ${count} jobs`,
    value: after - before,
    unit: "MB more",
    bound: { atMost: 10 },
    note: `${before.toFixed(1)} MB before`,
  };
}
