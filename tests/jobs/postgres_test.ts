import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import * as z from "zod";
import { Autowired, bootstrap, inject, OnReady, Service } from "irori";
import { actuator } from "irori/actuator";
import { Job, JobError, type JobRun, Jobs, jobs, type JobsOptions } from "irori/jobs";
import { current, PgTransactions, Transactional } from "irori/transactions";
import { IMPATIENT } from "./settings.ts";
import { type JobDatabase, jobDatabase, postgresqlMissing, silently, until } from "./support.ts";

const ignore = postgresqlMissing !== undefined;
const Note = z.object({ note: z.string() });

@Service()
class Notes {
  @Autowired(PgTransactions)
  private readonly database!: PgTransactions;
  readonly runs: JobRun[] = [];
  failures = 0;

  @Job("write-note", { schema: Note, retry: 2, backoff: { delay: 0 }, deadLetter: "lost-note" })
  async write({ note }: z.infer<typeof Note>, run: JobRun): Promise<void> {
    this.runs.push(run);
    await current(this.database).query("INSERT INTO effects (job, note) VALUES ($1, $2)", [
      run.id,
      note,
    ]);
    if (this.failures-- > 0) throw new Error("not yet");
  }

  @Job("lost-note")
  async keep({ note }: { readonly note: string }, { name }: JobRun): Promise<void> {
    await current(this.database).query("INSERT INTO effects (job, note) VALUES ($1, $2)", [
      name,
      note,
    ]);
  }
}

@Service()
class Orders {
  readonly jobs = inject(Jobs);

  @Transactional()
  async place(note: string, fails = false): Promise<void> {
    await this.jobs.enqueue("write-note", { note });
    if (fails) throw new Error("no");
  }
}

async function application(database: JobDatabase, options: JobsOptions = {}) {
  const app = await bootstrap({
    components: [Notes, Orders],
    extensions: [
      actuator({}),
      jobs({ engine: IMPATIENT, ...options }),
      Object.assign(() => ({ log: () => {}, info: () => {} }), {
        beans: () => ({ instances: { transactionManager: database.manager } }),
      }),
    ],
    config: {
      server: { address: "127.0.0.1", port: 0 },
      management: {
        endpoints: { include: ["health", "prometheus"] },
        endpoint: { health: { "show-details": "always" } },
      },
    },
  });
  return {
    app,
    notes: app.context.get(Notes),
    orders: app.context.get(Orders),
    jobs: app.context.get(Jobs),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

Deno.test({
  name: "jobs.enqueue + PostgreSQL: runs what was committed, and nothing that was rolled back",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    await using found = await application(database);
    const { orders, jobs, notes } = found;
    await orders.place("kept");
    await assertRejects(() => orders.place("lost", true), Error, "no");
    await jobs.enqueue("write-note", { note: "alone" });
    assertEquals(await jobs.drain(), { completed: 2, failed: 0, dead: 0 });
    const rows = await database.query("SELECT job, note FROM effects ORDER BY note");
    assertEquals(rows.map(({ note }) => note), ["alone", "kept"]);
    assertEquals(new Set(rows.map(({ job }) => job)), new Set(notes.runs.map(({ id }) => id)));
    assertEquals(notes.runs.map(({ attempt, name }) => [attempt, name]), [[1, "write-note"], [
      1,
      "write-note",
    ]]);
  },
});

Deno.test({
  name:
    "@Job + PostgreSQL: rolls back what a failed run wrote, retries, and gives up to the dead letters",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    await using found = await application(database);
    const { jobs, notes } = found;
    await silently(async () => {
      notes.failures = 1;
      await jobs.enqueue("write-note", { note: "second" });
      assertEquals(await jobs.drain(), { completed: 1, failed: 1, dead: 0 });
      notes.failures = 3;
      await jobs.enqueue("write-note", { note: "never" });
      assertEquals(await jobs.drain(), { completed: 1, failed: 2, dead: 1 });
    });
    assertEquals(notes.runs.map(({ attempt }) => attempt), [1, 2, 1, 2, 3]);
    const rows = await database.query("SELECT job, note FROM effects ORDER BY id");
    assertEquals(rows, [{ job: notes.runs[1]!.id, note: "second" }, {
      job: "lost-note",
      note: "never",
    }]);
  },
});

Deno.test({
  name: "@Job + PostgreSQL: runs while the application listens, wakes up at once, and ends with it",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    await using found = await application(database);
    const { app, orders, jobs } = found;
    await jobs.enqueue("write-note", { note: "before" });
    await app.listen();
    await until(async () => (await database.query("SELECT FROM effects")).length === 1);
    const started = performance.now();
    await orders.place("at once");
    await until(async () => (await database.query("SELECT FROM effects")).length === 2);
    assert(performance.now() - started < 1500, "it has waited for the next look");
    const health = await (await app.request("/actuator/health/jobs")).json();
    assertEquals(health, { status: "UP", details: { engine: "pg-boss", schemaVersion: 46 } });
    const text = await (await app.request("/actuator/prometheus")).text();
    assertMatch(text, /^jobs_enqueued_total{job="write-note"} 2$/m);
    assertMatch(text, /^jobs_completed_total{job="write-note"} 2$/m);
    assertMatch(text, /^jobs_dead_total{job="lost-note"} 0$/m);
    assertMatch(text, /^jobs_waiting{job="write-note"} 0$/m);
    assertMatch(text, /^jobs_unknown 0$/m);
  },
});
