import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import pg from "npm:pg@^8.23.0";
import * as z from "zod";
import { Autowired, bootstrap, type BootstrapOptions, inject, Service } from "irori";
import { actuator } from "irori/actuator";
import { Job, JobError, type JobRun, Jobs, jobs, type JobsOptions } from "irori/jobs";
import { current, PgTransactions, Transactional } from "irori/transactions";
import { poolerMissing } from "../../migrations/sql/pooler_support.ts";
import { poolOf } from "../../migrations/sql/postgresql_support.ts";
import { IMPATIENT } from "./settings.ts";
import { type JobDatabase, jobDatabase, postgresqlMissing, silently } from "./support.ts";
import { until } from "../../until.ts";

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

async function application(
  database: JobDatabase,
  options: JobsOptions = {},
  components: BootstrapOptions["components"] = [],
) {
  const app = await bootstrap({
    components: [Notes, Orders, ...components],
    extensions: [
      actuator({}),
      jobs({ engine: IMPATIENT, ...options }),
      Object.assign(() => ({ log: () => {}, info: () => {} }), {
        beans: () => ({ instances: { transactionManager: database.manager } }),
      }),
    ],
    config: {
      server: { address: "127.0.0.1", port: 0, "shutdown-timeout": 2 },
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

Deno.test({
  name: "jobs.enqueue + PostgreSQL: takes one waiting job of a key, and waits until 'at'",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    await using found = await application(database);
    const { jobs } = found;
    const note = { note: "x" };
    assert(await jobs.enqueue("write-note", note, { key: "1" }));
    assertEquals(await jobs.enqueue("write-note", note, { key: "1" }), undefined);
    assert(await jobs.enqueue("write-note", note, { key: "2" }));
    assert(await jobs.enqueue("write-note", note, { at: new Date(Date.now() + 60_000) }));
    assert(await jobs.enqueue("write-note", note, { at: new Date(0) }));
    assertEquals(await jobs.drain(), { completed: 3, failed: 0, dead: 0 });
    assert(await jobs.enqueue("write-note", note, { key: "1" }));
    await assertRejects(
      () => jobs.enqueue("nothing", {}),
      JobError,
      `no method has @Job("nothing")`,
    );
  },
});

Deno.test({
  name: "jobs + PostgreSQL: start only with the schema that the engine needs",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    const fails = (message: string) => assertRejects(() => application(database), Error, message);
    await database.query("UPDATE irori_jobs.version SET version = 40");
    await fails(
      "has version 40, and the installed 'pg-boss' needs 46: write a migration with 'irori new jobs-schema'",
    );
    await database.query("DROP TABLE irori_jobs.done");
    await fails("the table 'irori_jobs.done' cannot be read");
    await database.query("DROP SCHEMA irori_jobs CASCADE");
    await fails(
      "the database has no schema 'irori_jobs': write a migration with 'irori new jobs-schema' and apply it",
    );
  },
});

Deno.test({
  name: "jobs + PostgreSQL: run in the schema of a newer release, with a warning",
  ignore,
  async fn() {
    // A role that could migrate nothing.
    await using database = await jobDatabase(10, "role");
    await database.query("UPDATE irori_jobs.version SET version = 99");
    const lines = await silently(async () => {
      await using found = await application(database);
      await found.app.listen();
      await found.orders.place("kept");
      await until(async () => (await database.query("SELECT FROM effects")).length === 1);
    });
    assertEquals(lines, [
      "Jobs run in a newer schema: the schema 'irori_jobs' has version 99, and the installed 'pg-boss' needs 46; " +
      "update the package once the release is complete",
    ]);
    assertEquals(await database.query("SELECT version FROM irori_jobs.version"), [{ version: 99 }]);
  },
});

Deno.test({
  name:
    "@Job + PostgreSQL: leaves names of other releases waiting, and gives payloads of other releases back",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    await using found = await application(database);
    const { app, jobs } = found;
    await database.query(`
      SELECT irori_jobs.create_queue('of-another-release', '{"policy": "short"}');
      INSERT INTO irori_jobs.job (name, policy, singleton_key) VALUES ('of-another-release', 'short', 'a')`);
    await database.query(
      `INSERT INTO irori_jobs.job (name, policy, singleton_key, data, retry_limit, dead_letter)
      VALUES ('write-note', 'short', 'a', '{"text": 1}', 1, 'lost-note')`,
    );
    const lines = await silently(async () => {
      assertEquals(await jobs.drain(), { completed: 1, failed: 1, dead: 1 });
    });
    assertMatch(lines[0]!, /the payload does not fit its schema at '\/note'/);
    const sql =
      "SELECT name, state, output->>'error' AS error FROM irori_jobs.job ORDER BY name, state";
    const states = (await database.query(sql)).map(({ name, state }) => `${name} ${state}`);
    assertEquals(states, [
      "lost-note completed",
      "of-another-release created",
      "write-note failed",
    ]);
    await app.listen();
    await until(async () => {
      const text = await (await app.request("/actuator/prometheus")).text();
      return /^jobs_unknown 1$/m.test(text) &&
        /^jobs_failed_total{.*reason="payload"} 2$/m.test(text);
    });
  },
});

Deno.test({
  name:
    "@Job + PostgreSQL: ends as done what another attempt has committed, and refuses claims that have run out",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    await using found = await application(database);
    const { jobs, notes } = found;
    const [done, late] = [
      await jobs.enqueue("write-note", { note: "done" }),
      await jobs.enqueue("write-note", { note: "late" }, { at: new Date(Date.now() + 500) }),
    ];
    await database.query("INSERT INTO irori_jobs.done (name, id) VALUES ('write-note', $1)", [
      done,
    ]);
    assertEquals(await jobs.drain(), { completed: 1, failed: 0, dead: 0 });
    assertEquals(notes.runs, []);
    await database.query(`
      CREATE FUNCTION old_claim() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.started_on := now() - interval '1 hour'; RETURN NEW; END $$;
      CREATE TRIGGER old_claim BEFORE UPDATE ON irori_jobs.job_common FOR EACH ROW
        WHEN (NEW.state = 'active' AND NEW.retry_count = 0) EXECUTE FUNCTION old_claim()`);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const lines = await silently(async () => {
      assertEquals(await jobs.drain(), { completed: 1, failed: 1, dead: 0 });
    });
    assertMatch(lines[0]!, new RegExp(`${late}, attempt 1.*The claim of the job has run out`, "s"));
    assertEquals(notes.runs.map(({ attempt }) => attempt), [2]);
  },
});

Deno.test({
  name:
    "@Job + PostgreSQL: the database ends the transaction of a stopped attempt soon after its time",
  ignore,
  async fn() {
    @Service()
    class Brief {
      limit?: string;
      @Job("brief", { timeout: 7 })
      async run(): Promise<void> {
        const sql = "SHOW idle_in_transaction_session_timeout";
        const { rows } = await current(this.database).query(sql);
        this.limit = rows[0].idle_in_transaction_session_timeout;
      }
      readonly database = inject(PgTransactions);
    }
    await using database = await jobDatabase();
    await using found = await application(database, {}, [Brief]);
    await found.jobs.enqueue("brief", {});
    await found.jobs.drain();
    assertEquals(found.app.context.get(Brief).limit, "12s");
    const { rows } = await database.manager.connection.query(
      "SHOW idle_in_transaction_session_timeout",
    );
    assertEquals(rows[0].idle_in_transaction_session_timeout, "0", "it ends with the transaction");
  },
});

Deno.test({
  name: "@Job + PostgreSQL: awaits what runs at the shutdown, and gives back what takes too long",
  ignore,
  async fn() {
    const seen: string[] = [];
    @Service()
    class Waiting {
      @Job("waiting", { concurrency: 2 })
      async run({ seconds }: { readonly seconds: number }, { signal }: JobRun): Promise<void> {
        seen.push(`begins ${seconds}`);
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, seconds * 1000);
          signal.addEventListener("abort", () => {
            clearTimeout(timer);
            resolve(undefined);
          });
        });
        seen.push(signal.aborted ? `aborted ${seconds}` : `ends ${seconds}`);
      }
    }
    await using database = await jobDatabase();
    const found = await application(database, {}, [Waiting]);
    await found.app.listen();
    await found.jobs.enqueue("waiting", { seconds: 0.5 });
    await found.jobs.enqueue("waiting", { seconds: 60 });
    await until(() => seen.length === 2);
    await silently(() => found.app.close());
    assertEquals(seen.slice(2), ["ends 0.5", "aborted 60"]);
    const states = await database.query(
      "SELECT state FROM irori_jobs.job ORDER BY data->'seconds'",
    );
    assertEquals(states.map(({ state }) => state), ["completed", "retry"]);
  },
});

Deno.test({
  name: "@Job + PostgreSQL: takes over after the lease, which a job that runs renews",
  ignore,
  async fn() {
    const ended: string[] = [];
    @Service()
    class Long {
      @Job("long", { concurrency: 2 })
      async run({ seconds }: { readonly seconds: number }, { attempt }: JobRun): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        ended.push(`${seconds} s by attempt ${attempt}`);
      }
    }
    await using database = await jobDatabase();
    await using found = await application(database, { lease: 10 }, [Long]);
    const { app, jobs } = found;
    await jobs.enqueue("long", { seconds: 0 });
    await database.query(
      `UPDATE irori_jobs.job SET state = 'active', started_on = now() - interval '10 s',
      heartbeat_on = now() - interval '10 s'`,
    );
    await jobs.enqueue("long", { seconds: 13 });
    await app.listen();
    await until(() => ended.length === 2);
    assertEquals(ended, ["0 s by attempt 2", "13 s by attempt 1"]);
  },
});

Deno.test({
  name: "@Job + PostgreSQL: ends a run that was cancelled, and logs why",
  ignore,
  async fn() {
    @Service()
    class Endless {
      isRunning = false;
      @Job("endless")
      async run(_: object, { signal }: JobRun): Promise<void> {
        this.isRunning = true;
        await new Promise((_, reject) => signal.onabort = () => reject(signal.reason));
      }
    }
    await using database = await jobDatabase();
    await using found = await application(database, { lease: 10 }, [Endless]);
    const { app, jobs } = found;
    const lines = await silently(async () => {
      await jobs.start();
      await jobs.enqueue("endless", {});
      await until(() => app.context.get(Endless).isRunning);
      await database.query("UPDATE irori_jobs.job SET state = 'cancelled', completed_on = now()");
      await until(async () =>
        !(await database.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
        )).length
      );
      await app.close();
    });
    assertEquals(lines.length, 1, lines.join("\n"));
    assertMatch(lines[0]!, /has failed: JobError: It was cancelled, or another replica/);
  },
});

Deno.test({
  name: "jobs + PostgreSQL: run with types of the pool, and log what the engine fails with",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    let parse: (text: string) => unknown = String;
    const types = {
      getTypeParser: (oid: number, format?: "text") =>
        oid === pg.types.builtins.TIMESTAMPTZ
          ? (text: string) => parse(text)
          : pg.types.getTypeParser(oid, format),
    } as pg.CustomTypesConfig;
    await using pool = Object.assign(poolOf(database.datasource, { types }), {
      [Symbol.asyncDispose]: () => pool.end(),
    });
    const manager = new PgTransactions(pool);
    await using found = await application({ ...database, manager });
    const { jobs } = found;
    await jobs.enqueue("write-note", { note: "text" });
    assertEquals(await jobs.drain(), { completed: 1, failed: 0, dead: 0 });
    parse = BigInt.bind(null, 1);
    const lines = await silently(async () => {
      await jobs.start();
      await jobs.enqueue("write-note", { note: "never" });
      const failed = "SELECT FROM irori_jobs.job WHERE state = 'failed'";
      await until(async () => (await database.query(failed)).length === 1);
    });
    assertMatch(lines[0]!, /^Cannot fetch or run jobs: Do not know how to serialize a BigInt/);
    assertEquals(await database.query("SELECT note FROM effects WHERE note = 'never'"), []);
  },
});

Deno.test({
  name: "jobs + PostgreSQL: warn when they may hold all connections",
  ignore,
  async fn() {
    await using database = await jobDatabase(2);
    await using found = await application(database);
    const lines = await silently(() => found.jobs.start());
    assertEquals(lines, [
      "Jobs may hold all 2 connections of the pool: expected a 'max' above 2, the sum of 'concurrency'",
    ]);
  },
});

Deno.test({
  name: "jobs + PostgreSQL: deletes ids of jobs that have ended long ago",
  ignore,
  async fn() {
    await using database = await jobDatabase();
    await using found = await application(database);
    const at = new Date(Date.now() + 60_000);
    const waiting = await found.jobs.enqueue("write-note", { note: "x" }, { at });
    await database.query(
      `INSERT INTO irori_jobs.done (name, id, at)
      SELECT 'write-note', gen_random_uuid(), now() - interval '26 hours' FROM generate_series(1, 25000)
      UNION ALL SELECT 'write-note', $1::uuid, now() - interval '26 hours'
      UNION ALL SELECT 'write-note', gen_random_uuid(), now()`,
      [waiting],
    );
    await found.jobs.start();
    await until(async () => (await database.query("SELECT FROM irori_jobs.done")).length === 2);
  },
});

for (const way of ["pooler", "role"] as const) {
  const name = way === "pooler"
    ? "PgBouncer: poll"
    : "PostgreSQL: need no more privileges than the guide says";
  Deno.test({
    name: `jobs + ${name}`,
    ignore: ignore || way === "pooler" && poolerMissing !== undefined,
    async fn() {
      await using database = await jobDatabase(5, way);
      await using found = await application(database, { pollingInterval: 0.5 });
      const { app, orders, notes } = found;
      const lines = await silently(async () => {
        await app.listen();
        await orders.place("first");
        await assertRejects(() => orders.place("lost", true));
        await until(async () => (await database.query("SELECT FROM effects")).length === 1);
        notes.failures = 1;
        await orders.place("second");
        await until(async () => (await database.query("SELECT FROM effects")).length === 2);
        // So that the engine has looked after its tables once.
        await new Promise((resolve) => setTimeout(resolve, 1500));
      });
      assertEquals(lines.filter((line) => !line.includes("not yet")), []);
      const rows = await database.query("SELECT note FROM effects ORDER BY note");
      assertEquals(rows.map(({ note }) => note), ["first", "second"]);
    },
  });
}
