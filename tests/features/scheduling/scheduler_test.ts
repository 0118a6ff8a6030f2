import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import {
  bootstrap,
  type BootstrapOptions,
  decorate,
  inject,
  Scope,
  Service,
} from "../../../mod.ts";
import { actuator, type MeterRegistry } from "../../../src/features/actuator/mod.ts";
import {
  Scheduled,
  type ScheduledOptions,
  ScheduleError,
  scheduling,
  TaskScheduler,
  withSchedules,
} from "../../../src/features/scheduling/mod.ts";
import { FakeClock } from "../../../src/features/testing/mod.ts";
import { every, type Schedule } from "../../../src/features/scheduling/schedule.ts";
import { Task } from "../../../src/features/scheduling/task.ts";
import { MemoryTicks, type Tick } from "../../../src/features/scheduling/ticks.ts";

const MIDNIGHT = "2027-01-01T00:00:00Z";
let clock: FakeClock;
let log: string[];
/** The task of the next application. */
let work: (signal: AbortSignal) => unknown;

function component(options: ScheduledOptions) {
  @Service()
  class Tasks {
    @Scheduled(options)
    async run(signal: AbortSignal): Promise<void> {
      log.push(new Date(clock.now()).toISOString().slice(11, 19));
      await work(signal);
    }
  }
  return Tasks;
}

function application(
  options: ScheduledOptions,
  more: BootstrapOptions = {},
  start = MIDNIGHT,
  isSteady = true,
) {
  clock = Object.assign(new FakeClock(start), { isSteady });
  log = [];
  work = () => {};
  return bootstrap({
    components: [component(options)],
    ...more,
    extensions: [...more.extensions ?? [], scheduling({ clock })],
  });
}

/** Runs with what is written to the console caught. */
async function quietly<T>(
  method: "error" | "log",
  body: () => Promise<T>,
): Promise<readonly unknown[][]> {
  const written: unknown[][] = [];
  const before = console[method];
  console[method] = (...parts: unknown[]) => void written.push(parts);
  try {
    await body();
  } finally {
    console[method] = before;
  }
  return written;
}

Deno.test("@Scheduled({ every }) + runs at the multiples of the interval", async () => {
  await using _ = await application({ every: 600 }, {}, "2027-01-01T00:03:00Z");
  await clock.advance(1800);
  assertEquals(log, ["00:10:00", "00:20:00", "00:30:00"]);
});

Deno.test("@Scheduled({ cron }) + runs at the local times of its time zone", async () => {
  await using _ = await application({ cron: "30 2 * * *", timeZone: "Europe/Berlin" });
  await clock.advance(2 * 86_400);
  assertEquals(log, ["01:30:00", "01:30:00"]);
});

Deno.test("@Scheduled({ every }) + skips and counts ticks that are due while one runs", async () => {
  const app = await application({ every: 60, name: "slow" }, { extensions: [actuator()] });
  const { promise, resolve } = Promise.withResolvers<void>();
  work = () => promise;
  await clock.advance(200);
  assertEquals(log, ["00:01:00"]);
  resolve();
  await app.context.get(TaskScheduler).idle();
  await clock.advance(60);
  assertEquals(log, ["00:01:00", "00:04:00"]);
  const registry = app.context.getByName("meterRegistry") as MeterRegistry;
  assertEquals(registry.counter("tasks.scheduled.skipped", { task: "slow" }).count(), 2);
  await app.close();
});

Deno.test("@Scheduled({ fixedDelay }) + counts from the end of the tick before", async () => {
  const app = await application({ fixedDelay: 60 });
  work = () => new Promise<void>((resolve) => void clock.schedule(90_000, resolve));
  await clock.advance(400);
  assertEquals(log, ["00:00:00", "00:01:00", "00:03:30", "00:06:00"]);
  work = () => {};
  await clock.advance(60);
  await app.close();
});

Deno.test("@Scheduled({ fixedDelay }) + goes on after a clock was set back during a tick", async () => {
  await using _ = await application({ fixedDelay: 60 }, {}, MIDNIGHT, false);
  let offset = 0;
  const now = clock.now.bind(clock);
  clock.now = () => now() + offset;
  await clock.advance(0);
  work = () => {
    offset = -600_000;
    work = () => {};
  };
  await clock.advance(60);
  log.length = 0;
  await clock.advance(1200);
  // All but 00:00:00 and 00:01:00, which have run.
  assertEquals([log.length, new Set(log).size, log.at(-1)], [18, 18, "00:11:00"]);
});

Deno.test("@Scheduled + an error is logged, and the next tick runs", async () => {
  await using app = await application({ every: 60, name: "broken" });
  work = () => Promise.reject(new Error("no disk"));
  const written = await quietly("error", () => clock.advance(120));
  assertEquals(
    written.map(([message]) => message),
    Array(2).fill("The scheduled task 'broken' failed"),
  );
  const scheduler = app.context.get(TaskScheduler);
  const last = await scheduler.last(scheduler.tasks.get("broken")!);
  assertEquals([last?.state, last?.error], ["failed", "Error: no disk"]);
});

Deno.test("@Scheduled + anything that is thrown is recorded as a text that databases can keep", async () => {
  await using app = await application({ every: 60, name: "broken" });
  const scheduler = app.context.get(TaskScheduler);
  const unreadable = () => {
    throw new Error("no");
  };
  for (
    const [thrown, error] of [
      [Object.create(null), "Error: A value without a text was thrown"],
      [
        Object.defineProperty(new Error(), "message", { get: unreadable }),
        "Error: A value without a text was thrown",
      ],
      [new Error("a\0b"), "Error: a\\u0000b"],
    ]
  ) {
    work = () => Promise.reject(thrown);
    await quietly("error", () => clock.advance(60));
    const last = await scheduler.last(scheduler.tasks.get("broken")!);
    assertEquals([last?.state, last?.error], ["failed", error]);
  }
});

Deno.test("@Scheduled({ timeout }) + aborts the signal", async () => {
  await using _ = await application({ every: 60, timeout: 5 });
  let reason: unknown;
  work = (signal) =>
    new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        resolve();
      })
    );
  await clock.advance(64);
  assertEquals(reason, undefined);
  await clock.advance(1);
  assertEquals(`${reason}`, "TimeoutError: Not done in 5 s");
});

Deno.test("close() + aborts the signal of a tick, waits for it, and starts no other", async () => {
  const app = await application({ every: 60 });
  const { promise, resolve } = Promise.withResolvers<void>();
  let isEnded = false;
  work = async (signal) => {
    signal.addEventListener("abort", () => resolve());
    await promise;
    await new Promise((resolve) => setTimeout(resolve, 5));
    isEnded = true;
  };
  await clock.advance(60);
  await app.close();
  assertEquals([isEnded, log], [true, ["00:01:00"]]);
  await clock.advance(600);
  assertEquals(log, ["00:01:00"]);
});

Deno.test("@Scheduled + a clock that is set back runs no tick twice, one that is set forward one at most", async () => {
  await using _ = await application({ every: 60 }, {}, MIDNIGHT, false);
  let offset = 0;
  const now = clock.now.bind(clock);
  clock.now = () => now() + offset;
  await clock.advance(120);
  offset = -600_000;
  await clock.advance(600);
  // From 23:53:00 to 00:00:00.
  assertEquals([log.length, new Set(log).size], [10, 10]);
  offset = 0;
  await clock.advance(60);
  // Those of 00:12:00 and 00:13:00; the ones before are long over.
  assertEquals([log.length, new Set(log).size], [12, 12]);
});

for (const [catchUp, expected] of [["skip", 0], ["once", 1]] as const) {
  Deno.test(`@Scheduled({ catchUp: "${catchUp}" }) + a process that was frozen`, async () => {
    await using _ = await application({ every: 600, catchUp }, {}, MIDNIGHT, false);
    let offset = 0;
    const now = clock.now.bind(clock);
    clock.now = () => now() + offset;
    await clock.advance(1);
    offset = 3 * 600_000 + 400_000;
    await clock.advance(40);
    assertEquals(log.length, expected);
  });
}

Deno.test("@Scheduled without syntax + is called on its bean", async () => {
  clock = new FakeClock(MIDNIGHT);
  class Counter {
    count = 0;
    add() {
      this.count++;
    }
  }
  decorate({ Counter }, { add: [Scheduled({ every: 1 })] }, Service());
  await using app = await bootstrap({ components: [Counter], extensions: [scheduling({ clock })] });
  await clock.advance(3);
  assertEquals(app.context.get(Counter).count, 3);
});

Deno.test("@Scheduled + refuses at startup what cannot run", async () => {
  const refused = async (
    components: BootstrapOptions["components"],
    message: string,
    extensions = [scheduling()],
  ) => {
    const error = await assertRejects(() => bootstrap({ components, extensions }));
    assertStringIncludes((error as Error).message, message);
  };
  await refused(
    [component({ every: 1 })],
    "it comes with scheduling() of '@irori/irori/scheduling'",
    [],
  );
  await refused(
    [component({ cron: "* * * *" })],
    "Cannot schedule 'Tasks.run': expected a cron expression",
  );
  const other = component({ every: 1, name: "Tasks.run" });
  class Other {
    run() {}
  }
  decorate({ Other }, { run: [Scheduled({ every: 1, name: "Tasks.run" })] }, Service());
  await refused(
    [other, Other],
    "Cannot schedule two tasks named 'Tasks.run': found 'Tasks.run' and 'Other.run'",
  );
  class Several {
    run() {}
  }
  decorate({ Several }, { run: [Scheduled({ every: 1 })] }, Service(), Scope("prototype"));
  class User {
    constructor(readonly several = inject(Several)) {}
  }
  decorate({ User }, {}, Service());
  await refused(
    [Several, User],
    "Cannot schedule 'Several.run': expected a bean of the scope \"singleton\"",
  );
});

Deno.test("@Scheduled + refuses options and methods", () => {
  const cases: [unknown, string][] = [
    [{ every: 1, catchup: "once" }, "Unknown option 'catchup': did you mean 'catchUp'?"],
    [{}, "expected one of 'cron', 'every' and 'fixedDelay', found none"],
    [{ every: 1, cron: "* * * * *" }, "found 'cron' and 'every'"],
    [{ every: 0 }, "expected 0.001 to 2147483 seconds as 'every', found '0'"],
    [{ every: "1m" }, "seconds as 'every', found '1m'"],
    [
      { cron: "0 0 * * *", timeZone: "Mars/Base" },
      "such as 'Europe/Berlin' as 'timeZone', found 'Mars/Base'",
    ],
    [{ every: 1, timeZone: "UTC" }, "expected no 'timeZone' with 'every'"],
    [{ fixedDelay: 1, catchUp: "once" }, "expected no 'catchUp' with 'fixedDelay'"],
    [{ every: 1, catchUp: "all" }, "expected \"skip\" or \"once\" as 'catchUp', found 'all'"],
    [{ every: 1, name: "a b" }, "as 'name', found 'a b'"],
    [{ every: 1, name: 3 }, "as 'name', found '3'"],
  ];
  class Tasks {
    run() {}
    two(_a: unknown, _b: unknown) {}
  }
  for (const [options, message] of cases) {
    const decorator = () => decorate({ Tasks }, { run: [Scheduled(options as ScheduledOptions)] });
    assertThrows(decorator, ScheduleError, message);
  }
  const two = Scheduled({ every: 1 }) as never;
  assertThrows(() => decorate({ Tasks }, { two: [two] }), ScheduleError, "found 2 parameters");
  const refused = (options: object, message: string) =>
    assertThrows(() => scheduling(options), ScheduleError, `Cannot use scheduling(): ${message}`);
  refused({ leese: 5 }, "Unknown option 'leese': did you mean 'lease'?");
  refused({ lease: Infinity }, "expected 1 to 3600 seconds as 'lease', found 'Infinity'");
});

Deno.test("scheduling() + says that each replica runs the tasks without a database", async () => {
  const written = await quietly("log", async () => {
    const app = await bootstrap({
      root: import.meta.dirname,
      config: { "component-scan": [] },
      components: [component({ every: 1 })],
      extensions: [scheduling()],
    });
    await app.close();
  });
  assertEquals(written, [["Scheduled tasks have no database: each replica runs every tick"]]);
});

Deno.test("/actuator/scheduledtasks + has the last and the next execution, as metrics do", async () => {
  const config = {
    management: {
      endpoints: { include: ["scheduledtasks", "prometheus", "health"] },
      endpoint: { health: { "show-details": "always" } },
    },
  };
  await using app = await application({ cron: "0 * * * *", name: "hourly" }, {
    config,
    extensions: [actuator()],
  });
  await clock.advance(3600);
  assertEquals(await (await app.request("/actuator/scheduledtasks")).json(), {
    cron: [{
      runnable: { target: "hourly" },
      expression: "0 * * * *",
      timeZone: "UTC",
      nextExecution: { time: "2027-01-01T02:00:00.000Z" },
      lastExecution: { time: "2027-01-01T01:00:00.000Z", status: "SUCCESS", milliseconds: 0 },
    }],
    fixedDelay: [],
    fixedRate: [],
    custom: [],
  });
  const metrics = await (await app.request("/actuator/prometheus")).text();
  assertStringIncludes(
    metrics,
    'tasks_scheduled_execution_seconds_count{outcome="SUCCESS",task="hourly"} 1',
  );
  assertStringIncludes(metrics, 'tasks_scheduled_last_success{task="hourly"} 1');
  assertStringIncludes(
    metrics,
    `tasks_scheduled_next_timestamp{task="hourly"} ${Date.parse("2027-01-01T02:00:00Z") / 1000}`,
  );
  const { components } = await (await app.request("/actuator/health")).json();
  assertEquals(components.scheduledTasks, { status: "UP", details: { tasks: 1 } });
});

Deno.test("withSchedules() + runs what is due in the minute of the event", async () => {
  clock = new FakeClock("2027-01-01T02:30:30Z");
  log = [];
  work = () => {};
  const app = withSchedules(
    await bootstrap({
      components: [component({ cron: "30 2 * * *" })],
      extensions: [scheduling({ clock })],
    }),
  );
  const event = (time: string) =>
    app.scheduled({ scheduledTime: Date.parse(`2027-01-01T${time}Z`) });
  await event("02:29:00");
  await event("02:30:30");
  await event("02:30:30");
  assertEquals(log, ["02:30:30"]);
  await app.close();
});

Deno.test("withSchedules() + runs what became due since the minute before, and what was missed", async () => {
  const start = Date.parse("2027-01-01T02:00:00Z");
  const clock = new FakeClock(start);
  const ran: string[] = [];
  const task = (name: string, timing: Schedule | number, catchUp?: string) =>
    new Task(name, () => void ran.push(name), timing, { catchUp });
  const tasks = [
    task("seconds", every(90_000)),
    task("delayed", 70_000),
    task("hourly", every(3_600_000), "once"),
  ];
  const scheduler = new TaskScheduler();
  scheduler.prepare(tasks, new MemoryTicks(clock), clock);
  const events: string[][] = [];
  for (const minutes of [0, 1, 2, 3, 3, 130]) {
    const time = start + minutes * 60_000;
    await clock.advance((time - clock.now()) / 1000);
    await scheduler.runDue(time);
    events.push(ran.splice(0));
  }
  assertEquals(events, [
    ["seconds", "delayed", "hourly"],
    [],
    ["seconds", "delayed"],
    ["seconds"],
    [],
    ["delayed", "hourly"],
  ]);
  await scheduler.stop();
});

Deno.test("TaskScheduler + records each end, though one fails while another is recorded twice", async () => {
  const clock = new FakeClock(500);
  const gate = Promise.withResolvers<void>();
  let failures = 1;
  class SlowTicks extends MemoryTicks {
    override async end(tick: Tick, error?: string): Promise<void> {
      if (tick.name === "first") await gate.promise;
      else if (failures-- > 0) throw new Error("no database");
      await super.end(tick, error);
    }
  }
  const ticks = new SlowTicks(clock);
  const scheduler = new TaskScheduler();
  const tasks = ["first", "second"].map((name) => new Task(name, () => {}, every(1000), {}));
  scheduler.prepare(tasks, ticks, clock);
  await scheduler.start();
  await clock.advance(1);
  gate.resolve();
  await scheduler.idle();
  assertEquals((await ticks.last("first"))?.state, "done");
  assertEquals((await ticks.last("second"))?.state, "done");
  await scheduler.stop();
});
