import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { bootstrap, type BootstrapOptions, decorate, inject, Service } from "irori";
import { actuator, MeterRegistry } from "irori/actuator";
import { Job, JobError, type JobRun, Jobs, jobs, type JobsOptions } from "irori/jobs";
import {
  current,
  MysqlTransactions,
  PgliteTransactions,
  SqliteTransactions,
  Transactional,
  transactional,
} from "irori/transactions";
import { silently } from "./support.ts";
import { until } from "../../until.ts";

const HOUR = 3_600_000;
const Mail = z.object({ to: z.string(), at: z.coerce.date().optional() });

@Service()
class Mailer {
  readonly sent: unknown[] = [];
  readonly runs: JobRun[] = [];
  fails = false;

  @Job("send-mail", { schema: Mail, retry: 2, backoff: { delay: 10, max: 15 }, deadLetter: "lost" })
  send(mail: z.infer<typeof Mail>, run: JobRun): void {
    this.runs.push(run);
    if (this.fails) throw new Error("no");
    this.sent.push(mail);
  }

  @Job("lost")
  lose(mail: { readonly to: string }): void {
    this.sent.push(`lost ${mail.to}`);
  }
}

async function application(
  options: JobsOptions["memory"] = true,
  rest: BootstrapOptions = {},
) {
  let app!: Awaited<ReturnType<typeof bootstrap>>;
  const lines = await silently(async () => {
    app = await bootstrap({
      components: [Mailer],
      config: { server: { address: "127.0.0.1", port: 0 } },
      extensions: [jobs({ memory: options }), () => ({ log: () => {}, info: () => {} })],
      ...rest,
    });
  });
  return {
    app,
    lines,
    jobs: app.context.get(Jobs),
    mailer: app.context.get(Mailer),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

Deno.test("jobs({ memory }) + says that jobs are lost, and runs those that are due", async () => {
  let now = 0;
  await using found = await application({ now: () => now });
  const { jobs, mailer, lines } = found;
  assertEquals(lines, ["Jobs are kept in memory: they are lost when this process ends"]);
  await jobs.enqueue("send-mail", { to: "ada", at: new Date(5) });
  await jobs.enqueue("send-mail", { to: "bob" }, { at: new Date(HOUR) });
  assertEquals(await jobs.drain(), { completed: 1, failed: 0, dead: 0 });
  assertEquals(mailer.sent, [{ to: "ada", at: new Date(5) }]);
  now = HOUR;
  assertEquals(await jobs.drain(), { completed: 1, failed: 0, dead: 0 });
  const [{ id, name, attempt, signal }] = mailer.runs as [JobRun];
  assertMatch(id, /^[0-9a-f-]{36}$/);
  assertEquals([name, attempt, signal.aborted], ["send-mail", 1, false]);
});

Deno.test("jobs({ memory }) + waits longer after each failure, then gives up to the dead letters", async () => {
  let now = 0;
  await using found = await application({ now: () => now });
  const { jobs, mailer } = found;
  mailer.fails = true;
  await jobs.enqueue("send-mail", { to: "ada" });
  const lines = await silently(async () => {
    for (
      const [seconds, result] of [[0, "failed"], [9, ""], [10, "failed"], [24, ""], [
        25,
        "dead",
      ]] as const
    ) {
      now = seconds * 1000;
      const expected = { completed: result === "dead" ? 1 : 0, failed: 0, dead: 0 };
      if (result) expected[result]++;
      assertEquals(await jobs.drain(), expected, `after ${seconds} s`);
    }
  });
  assertEquals(mailer.sent, ["lost ada"]);
  assertMatch(
    lines[0]!,
    /^The job 'send-mail' \(.*, attempt 1\) has failed: Error: no/,
  );
  assertMatch(lines[2]!, /attempt 3\) has failed for good/);
});

Deno.test("jobs.enqueue + takes one waiting job of a key", async () => {
  await using found = await application();
  const { jobs, mailer } = found;
  assert(await jobs.enqueue("send-mail", { to: "ada" }, { key: "1" }));
  assertEquals(await jobs.enqueue("send-mail", { to: "bob" }, { key: "1" }), undefined);
  assert(await jobs.enqueue("send-mail", { to: "eve" }, { key: "2" }));
  await jobs.drain();
  assert(await jobs.enqueue("send-mail", { to: "ada" }, { key: "1" }));
  await jobs.drain();
  assertEquals(mailer.sent, [{ to: "ada" }, { to: "eve" }, { to: "ada" }]);
});

Deno.test("jobs.enqueue + refuses what would not run", async () => {
  await using found = await application();
  const { jobs } = found;
  const refused = (work: () => Promise<unknown>, message: string) =>
    assertRejects(work, JobError, message);
  await refused(() => jobs.enqueue("nothing", {}), `no method has @Job("nothing")`);
  await refused(
    () => jobs.enqueue("send-mail", { from: "ada" }),
    "does not fit its schema at '/to'",
  );
  await refused(() => jobs.enqueue("lost", [1]), "expected an object that JSON can hold");
  await refused(() => jobs.enqueue("lost", { to: "\0" }), "without U+0000");
  await refused(() => jobs.enqueue("lost", { to: "\ud800" }), "without U+0000");
  assert(await jobs.enqueue("lost", { to: "\\u0000 \u{1f600}" }));
  const circle: Record<string, unknown> = {};
  circle.circle = circle;
  await refused(() => jobs.enqueue("lost", circle), "expected an object that JSON can hold");
  await refused(() => jobs.enqueue("lost", {}, { at: new Date(NaN) }), "expected a Date before");
  const late = new Date("+012026-01-01T00:00:00Z");
  await refused(
    () => jobs.enqueue("lost", {}, { at: late }),
    "expected a Date before the year 10000",
  );
  await refused(() => jobs.enqueue("__proto__", {}), "Cannot use '__proto__' as the name of a job");
  for (const key of ["", "\0", "\ud800", "a".repeat(501)]) {
    await refused(() => jobs.enqueue("lost", {}, { key }), "a text of 1 to 500 characters");
  }
  await refused(
    () => jobs.enqueue("lost", {}, { delay: 5 } as never),
    "Cannot enqueue 'lost': Unknown option 'delay': expected one of at, key",
  );
  for (const payload of [new Map([["to", "ada"]]), new Set([1]), Promise.resolve({ to: "ada" })]) {
    await refused(() => jobs.enqueue("lost", payload), "expected an object that JSON can hold");
  }
  assert(await jobs.enqueue("lost", Object.create(null)));
});

Deno.test("jobs({ memory }) + runs as many at a time as 'concurrency' says while it listens, and awaits them", async () => {
  let most = 0;
  let running = 0;
  const signals: AbortSignal[] = [];
  @Service()
  class Slow {
    @Job("slow", { concurrency: 2 })
    async run(_: object, { signal }: JobRun): Promise<void> {
      signals.push(signal);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
    }
  }
  const found = await application(true, { components: [Slow, Mailer] });
  await found.app.listen();
  for (let index = 0; index < 5; index++) await found.jobs.enqueue("slow", {});
  await until(() => signals.length >= 3);
  await found.app.close();
  assertEquals([most, running], [2, 0]);
});

Deno.test("@Job + is aborted after its timeout, and at the end of the shutdown", async () => {
  const reasons: string[] = [];
  @Service()
  class Endless {
    @Job("endless", { timeout: 1, retry: 0 })
    async run(_: object, { signal }: JobRun): Promise<void> {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reasons.push(signal.reason.message);
    }
  }
  const config = { server: { address: "127.0.0.1", port: 0, "shutdown-timeout": 1 } };
  const found = await application(true, { components: [Endless, Mailer], config });
  await silently(async () => {
    await found.jobs.enqueue("endless", {});
    assertEquals(await found.jobs.drain(), { completed: 0, failed: 0, dead: 1 });
    await found.app.listen();
    await found.jobs.enqueue("endless", {});
    await found.app.close();
  });
  assertEquals(reasons, ["The job 'endless' took longer than 1 s", "The application shuts down"]);
});

Deno.test("jobs({ memory }) + follows transactions of SQLite", async () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE notes (text TEXT)");
  const manager = new SqliteTransactions(database);
  const notes = () => database.prepare("SELECT text FROM notes").all().map(({ text }) => text);
  @Service()
  class Notes {
    readonly jobs = inject(Jobs);
    failures = 1;

    @Job("note", { backoff: { delay: 0 } })
    async note({ text }: { readonly text: string }): Promise<void> {
      await current(manager).run("INSERT INTO notes VALUES (?)", text);
      if (this.failures-- > 0) throw new Error("no");
    }

    @Transactional({ manager })
    async add(text: string, fails: boolean): Promise<void> {
      await this.jobs.enqueue("note", { text });
      if (fails) throw new Error("no");
    }
  }
  const extensions = [jobs({ memory: true, manager })];
  const found = await application(true, { components: [Notes, Mailer], extensions });
  const bean = found.app.context.get(Notes);
  await bean.add("kept", false);
  await assertRejects(() => bean.add("lost", true));
  await silently(async () => {
    assertEquals(await found.jobs.drain(), { completed: 1, failed: 1, dead: 0 });
  });
  assertEquals(notes(), ["kept"]);
  await transactional({ manager }, () => found.jobs.enqueue("note", { text: "more" }));
  await found.jobs.drain();
  assertEquals(notes(), ["kept", "more"]);
  await transactional({ manager }, async () => {
    for (const text of ["first", "second"]) {
      await found.jobs.enqueue("note", { text }, { key: "one" });
    }
  });
  await found.jobs.drain();
  assertEquals(notes(), ["kept", "more", "first"]);
  await found.app.close();
});

Deno.test("jobs + counts what happened", async () => {
  await using found = await application(true, {
    extensions: [jobs({ memory: true }), actuator(), () => ({ log: () => {}, info: () => {} })],
  });
  const { app, jobs: bean, mailer } = found;
  const meters = app.context.get(MeterRegistry);
  await bean.enqueue("send-mail", { to: "ada" });
  await bean.drain();
  mailer.fails = true;
  await bean.enqueue("send-mail", { to: "bob" });
  await silently(() => bean.drain());
  const count = (name: string, tags: Record<string, string> = {}) =>
    meters.counter(name, { job: "send-mail", ...tags }).count();
  assertEquals(count("jobs.enqueued"), 2);
  assertEquals(count("jobs.completed"), 1);
  assertEquals(count("jobs.failed", { reason: "error" }), 1);
  assertEquals(count("jobs.failed", { reason: "payload" }), 0);
  assertEquals(meters.timer("jobs.duration", { job: "send-mail" }).count(), 2);
});

Deno.test("@Job + works without decorator syntax, and below other decorators", async () => {
  const seen: unknown[] = [];
  class Plain {
    run(payload: { readonly n: number }): void {
      seen.push(payload.n);
    }
  }
  decorate({ Plain }, { run: [Job("plain")] }, Service());
  const found = await application(true, { components: [Plain, Mailer] });
  await found.jobs.enqueue("plain", { n: 1 });
  await found.jobs.drain();
  assertEquals(seen, [1]);
  await found.app.close();
});

Deno.test("@Job + needs the extension, one method for each name, and a singleton", async () => {
  const start = (
    components: BootstrapOptions["components"],
    extensions = [jobs({ memory: true })],
  ) => silently(() => bootstrap({ components, extensions }));
  await assertRejects(() => start([Mailer], []), Error, "it comes with the extension jobs()");
  @Service()
  class Twin {
    @Job("lost")
    run(): void {}
  }
  await assertRejects(() => start([Mailer, Twin]), Error, "'Mailer.lose' declares it already");
  await assertRejects(
    () => start([Mailer], [jobs()]),
    Error,
    "expected a bean of the type TransactionManager",
  );
  assertEquals(new Mailer().sent, [], "a test may build the object itself");
});

Deno.test("@Job + refuses invalid options", () => {
  const refused = (work: () => unknown, message: string) => assertThrows(work, JobError, message);
  refused(() => Job("a b"), "Cannot use 'a b' as the name of a job");
  refused(
    () => Job("a", { retries: 3 } as never),
    "Unknown option 'retries'",
  );
  refused(() => Job("a", null as never), "Expected an object with options, found 'null'");
  refused(() => Job("a", { backoff: 5 } as never), "Expected an object with options, found '5'");
  refused(() => Job("a", { backoff: { dealy: 5 } } as never), "did you mean 'delay'?");
  refused(() => Job("a", { retry: -1 }), "a whole number from 0 to 1000 as 'retry', found '-1'");
  refused(() => Job("a", { timeout: 90_000 }), "as 'timeout', found '90000'");
  const backoff = { delay: 60, max: 30 };
  refused(() => Job("a", { backoff }), "from 60 to 86400 as 'backoff.max', found '30'");
  Job("a", { backoff: { delay: 7200 } });
  refused(() => Job("a", { deadLetter: "a" }), "another name as 'deadLetter'");
  refused(() => Job("a", { schema: {} as never }), "a schema of Zod, Valibot or ArkType");
});

Deno.test("jobs + refuses databases that have no engine, with one sentence", async () => {
  const managers = {
    SQLite: new SqliteTransactions(new DatabaseSync(":memory:")),
    "MySQL or MariaDB": new MysqlTransactions({ pool: {} } as never),
    PGlite: new PgliteTransactions({} as never),
  };
  for (const [name, manager] of Object.entries(managers)) {
    await assertRejects(
      () => bootstrap({ components: [Mailer], extensions: [jobs({ manager })] }),
      Error,
      `Cannot run jobs on ${name}: expected a PostgreSQL server; for tests and development write jobs({ memory: true })`,
    );
  }
  for (const options of [{ lease: 9 }, { pollingInterval: 0.1 }]) {
    await assertRejects(
      () => bootstrap({ components: [Mailer], extensions: [jobs(options)] }),
      JobError,
      "Cannot use jobs(): expected",
    );
  }
  await assertRejects(
    () => bootstrap({ components: [Mailer], extensions: [jobs({ memry: true } as never)] }),
    JobError,
    "Cannot use jobs(): Unknown option 'memry': did you mean 'memory'?",
  );
});
