import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  Autowired,
  bootstrap,
  ConfigError,
  GetMapping,
  RestController,
  Service,
} from "../../../mod.ts";
import type { ConfigMap } from "../../../src/config/mod.ts";
import { actuator, type Counter, MeterRegistry } from "../../../src/features/actuator/mod.ts";

@Service()
class Orders {
  @Autowired(MeterRegistry)
  private readonly meters!: MeterRegistry;
  readonly queue: string[] = [];
  readonly placed: Counter = this.meters.counter("orders.placed", { channel: "web" }, {
    description: "Orders that were placed",
  });

  constructor() {
    this.meters.gauge("orders.queue", () => this.queue.length);
  }

  place(id: string): void {
    this.queue.push(id);
    this.placed.increment();
    this.meters.counter("orders.placed", { channel: "shop" }).increment(2);
    this.meters.timer("orders.time").record(1500);
    this.meters.timer("orders.time").record(500);
    this.meters.summary("orders.size", {}, { baseUnit: "bytes" }).record(100);
  }
}

@RestController()
class OrderController {
  @Autowired(Orders)
  private readonly orders!: Orders;

  @GetMapping("/place")
  place(): string {
    this.orders.place("1");
    return "placed";
  }
}

async function start(management: ConfigMap = {}) {
  return await bootstrap({
    components: [Orders, OrderController],
    config: { management: { endpoints: { include: "*" }, ...management } },
    extensions: [actuator()],
  });
}

async function warnings(action: () => void): Promise<readonly string[]> {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (text: string) => said.push(text);
  try {
    await action();
  } finally {
    console.warn = warn;
  }
  return said;
}

Deno.test("MeterRegistry is a bean of actuator(), and its meters are shown as Spring Boot's are", async () => {
  await using app = await start();
  await (await app.request("/place")).body?.cancel();
  const get = async (path: string) => await (await app.request(`/actuator/${path}`)).json();
  const { names } = await get("metrics");
  assertEquals(names.filter((name: string) => !name.startsWith("process.")), [
    "http.server.requests",
    "orders.placed",
    "orders.queue",
    "orders.size",
    "orders.time",
  ]);
  assertEquals(await get("metrics/orders.placed"), {
    name: "orders.placed",
    description: "Orders that were placed",
    measurements: [{ statistic: "COUNT", value: 3 }],
    availableTags: [{ tag: "channel", values: ["shop", "web"] }],
  });
  assertEquals(await get("metrics/orders.placed?tag=channel:web"), {
    name: "orders.placed",
    description: "Orders that were placed",
    measurements: [{ statistic: "COUNT", value: 1 }],
    availableTags: [],
  });
  assertEquals((await get("metrics/orders.queue")).measurements, [{
    statistic: "VALUE",
    value: 1,
  }]);
  assertEquals(await get("metrics/orders.time"), {
    name: "orders.time",
    baseUnit: "seconds",
    measurements: [
      { statistic: "COUNT", value: 2 },
      { statistic: "TOTAL_TIME", value: 2 },
      { statistic: "MAX", value: 1.5 },
    ],
    availableTags: [],
  });
  assertEquals(await get("metrics/orders.size"), {
    name: "orders.size",
    baseUnit: "bytes",
    measurements: [
      { statistic: "COUNT", value: 1 },
      { statistic: "TOTAL", value: 100 },
      { statistic: "MAX", value: 100 },
    ],
    availableTags: [],
  });
  assertEquals(
    app.context.get(MeterRegistry).counter("orders.placed", { channel: "web" }).count(),
    1,
  );
});

Deno.test("MeterRegistry is missed where no actuator() is, and the error says so", async () => {
  const error = await assertRejects(() => bootstrap({ components: [Orders], config: {} }), Error);
  assertMatch(
    error.message,
    /MeterRegistry \(needed by orders\): .*actuator\(\) of '@irori\/irori\/actuator'/,
  );
});

Deno.test("MeterRegistry cannot be overridden where no actuator() is, and the error says so", async () => {
  const overrides = [[MeterRegistry, new MeterRegistry()]] as const;
  const error = await assertRejects(() => bootstrap({ config: {}, overrides }), TypeError);
  assertMatch(error.message, /there is none: it comes with the extension actuator\(\)/);
});

Deno.test("MeterRegistry is another one in each application of one extension", async () => {
  const extensions = [actuator()];
  const options = { components: [Orders], config: {}, extensions };
  await using one = await bootstrap(options);
  await using two = await bootstrap(options);
  one.context.get(Orders).place("1");
  const placed = (app: typeof one) =>
    app.context.get(MeterRegistry).counter("orders.placed", { channel: "web" }).count();
  assertEquals([placed(one), placed(two)], [1, 0]);
});

Deno.test("MeterRegistry can be overridden, and the one in its place is shown", async () => {
  const meters = new MeterRegistry();
  meters.counter("of.the.test").increment();
  await using app = await bootstrap({
    components: [Orders],
    config: { management: { endpoints: { include: "*" } } },
    extensions: [actuator()],
    overrides: [[MeterRegistry, meters]],
  });
  const response = await app.request("/actuator/metrics/of.the.test");
  assertEquals((await response.json()).measurements, [{ statistic: "COUNT", value: 1 }]);
  app.context.get(Orders).place("1");
  assertEquals(meters.timer("orders.time").count(), 2);
  await using another = await bootstrap({
    config: { management: { endpoints: { include: "*" } } },
    extensions: [actuator()],
    overrides: [[MeterRegistry, meters]],
  });
  assertEquals(another.context.get(MeterRegistry), meters);
});

Deno.test("two extensions that bring one bean are refused", async () => {
  const error = await assertRejects(
    () => bootstrap({ config: {}, extensions: [actuator(), actuator()] }),
    TypeError,
  );
  assertMatch(error.message, /two extensions that provide the bean 'meterRegistry'/);
});

Deno.test("beans of extensions are there before others, and end after them", async () => {
  const ended: string[] = [];
  @Service()
  class Late {
    [Symbol.dispose]() {
      ended.push("late");
    }
  }
  const extension = Object.assign(() => undefined, {
    beans: () => ({ instances: { early: { [Symbol.dispose]: () => ended.push("early") } } }),
  });
  const app = await bootstrap({ components: [Late], config: {}, extensions: [extension] });
  assertEquals(typeof app.context.getByName("early"), "object");
  await app.close();
  assertEquals(ended, ["late", "early"]);
});

Deno.test("counter() gives one counter for the same tags, in whatever order they are named", () => {
  const meters = new MeterRegistry();
  meters.counter("a", { x: "1", y: "2" }).increment();
  meters.counter("a", { y: 2, x: 1 }).increment(0.5);
  assertEquals(meters.counter("a", { x: "1", y: "2" }).count(), 1.5);
  assertEquals(meters.counter("a", { x: "12", y: "" }).count(), 0);
  assertEquals(meters.counter("a", { x: "1", y: "2" }), meters.counter("a", { x: "1", y: "2" }));
});

Deno.test("what is no number is not counted, and a gauge of it is NaN", async () => {
  const meters = new MeterRegistry();
  const [counter, timer, summary] = [meters.counter("a"), meters.timer("b"), meters.summary("c")];
  const wrong: readonly unknown[] = ["5", "", null, true, {}, [], new Date(), Promise.resolve(1)];
  for (const value of wrong as readonly never[]) {
    counter.increment(value);
    timer.record(value);
    summary.record(value);
    assertEquals(meters.gauge("g", () => value, { at: wrong.indexOf(value) }).value(), NaN);
  }
  counter.increment(2n as unknown as number);
  timer.record(2n as unknown as number);
  summary.record(2n as unknown as number);
  assertEquals([counter.count(), timer.totalTime(), summary.totalAmount()], [2, 2, 2]);
  assertEquals(meters.gauge("big", () => 7n as unknown as number).value(), 7);
  const rejecting = () => Promise.reject(new Error("no database")) as unknown as number;
  assertEquals(meters.gauge("rejecting", rejecting).value(), NaN);
  meters.functionCounter("rejected", rejecting);
  const read = meters.meters().find(({ name }) => name === "rejected")!.measure();
  assertEquals(read.map(({ statistics }) => statistics), [{}]);
  // An unhandled rejection would end the process, or here the test, in the next turn.
  await new Promise((resolve) => setTimeout(resolve));
});

Deno.test("counter(), maxTagCombinations + what cannot be is a TypeError that says so", () => {
  const meters = new MeterRegistry();
  for (const name of [null, undefined, 5, {}] as unknown as string[]) {
    assertThrows(() => meters.counter(name), TypeError, "expected a name of letters");
  }
  for (const maxTagCombinations of [0, -1, NaN, 1.5, "5"] as number[]) {
    assertThrows(
      () => meters.counter("a", {}, { maxTagCombinations }),
      TypeError,
      `as maxTagCombinations, found '${maxTagCombinations}'`,
    );
  }
  meters.counter("a", {}, { maxTagCombinations: Infinity });
});

Deno.test("management.metrics.distribution + the longest name wins, and its own is `all` where it has others", async () => {
  await using app = await start({
    metrics: {
      distribution: {
        slo: { all: "9ms", t: { all: "7ms", a: { all: "50ms", b: "60ms" } }, "u.x": "1ms" },
        "percentiles-histogram": { all: true, t: { all: false, a: "false" }, u: false, s: false },
      },
    },
  });
  const meters = app.context.get(MeterRegistry);
  for (const name of ["t", "t.z", "t.a", "t.a.c", "t.a.b", "u.x", "s"]) meters.timer(name);
  const bounds = meters.meters().filter(({ name }) => /^[tsu](\.|$)/.test(name)).map((
    { name, bounds },
  ) => [name, ...bounds]);
  assertEquals(bounds, [
    ["s", 0.009],
    ["t", 0.007],
    ["t.a", 0.05],
    ["t.a.b", 0.06],
    ["t.a.c", 0.05],
    ["t.z", 0.007],
    ["u.x", 0.001],
  ]);
  for (
    const slo of [{ t: "7ms", "t.a": "50ms" }, { "t.a": "50ms", t: "7ms" }]
  ) {
    const error = await assertRejects(
      () => start({ metrics: { distribution: { slo } } }),
      ConfigError,
    );
    assertMatch(error.message, /distribution\.slo\.t.*a value or keys below it, found both/);
  }
});

Deno.test("minimum-expected-value + above the maximum is an error at startup", async () => {
  const table: readonly (readonly [least: ConfigMap, most: ConfigMap])[] = [
    [{ all: "10s" }, { all: "1ms" }],
    [{ "orders.time": "10s" }, { all: "1s" }],
    [{ all: "10s" }, { orders: 100 }],
  ];
  for (const [least, most] of table) {
    const distribution = { "minimum-expected-value": least, "maximum-expected-value": most };
    const error = await assertRejects(() => start({ metrics: { distribution } }), ConfigError);
    assertMatch(error.message, /minimum-expected-value.*at most 'maximum-expected-value'/);
  }
  assertThrows(
    () => new MeterRegistry().timer("a", {}, { minimumExpectedValue: 2, maximumExpectedValue: 1 }),
    RangeError,
  );
});

Deno.test("what is negative or not finite is not counted", () => {
  const meters = new MeterRegistry();
  const [counter, timer, summary] = [meters.counter("a"), meters.timer("b"), meters.summary("c")];
  for (const wrong of [-1, NaN, Infinity, -Infinity]) {
    counter.increment(wrong);
    timer.record(wrong);
    summary.record(wrong);
  }
  assertEquals([counter.count(), timer.count(), summary.count()], [0, 0, 0]);
  assertEquals([timer.mean(), summary.mean(), timer.totalTime(), summary.totalAmount()], [
    0,
    0,
    0,
    0,
  ]);
});

Deno.test("Timer.record() times actions and promises, those that fail too, and gives what they give", async () => {
  const timer = new MeterRegistry().timer("a");
  assertEquals(timer.record(() => 7), 7);
  const { promise, resolve } = Promise.withResolvers<string>();
  const waited = timer.record(() => promise);
  assertEquals(timer.count(), 1);
  resolve("later");
  assertEquals(await waited, "later");
  assertEquals(timer.count(), 2);
  assertThrows(() =>
    timer.record((): void => {
      throw new RangeError("no");
    }), RangeError);
  await assertRejects(() => timer.record(() => Promise.reject(new TypeError("no"))), TypeError);
  assertEquals(timer.count(), 4);
  assert(timer.totalTime() >= timer.max() && timer.max() >= timer.mean());
});

Deno.test("Timer.record() times what is no promise and is awaited as one, and starts it once", async () => {
  const timer = new MeterRegistry().timer("a");
  let starts = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const query: PromiseLike<string> = {
    then(fulfilled, rejected) {
      starts++;
      return promise.then(fulfilled, rejected);
    },
  };
  const result = timer.record(() => query);
  await Promise.resolve();
  assertEquals([timer.count(), starts], [0, 1]);
  resolve("later");
  assertEquals(await result, "later");
  assertEquals([timer.count(), starts], [1, 1]);
  class Own extends Promise<string> {}
  const own = Own.resolve("own");
  assertEquals(timer.record(() => own) === own, true);
});

Deno.test("Timer and DistributionSummary know count, sum, maximum and mean", () => {
  const meters = new MeterRegistry();
  const [timer, summary] = [meters.timer("a"), meters.summary("b")];
  for (const value of [10, 20, 60]) {
    timer.record(value);
    summary.record(value);
  }
  assertEquals([summary.count(), summary.totalAmount(), summary.max(), summary.mean()], [
    3,
    90,
    60,
    30,
  ]);
  assertEquals(timer.count(), 3);
  assertEquals(Math.round(timer.totalTime()), 90);
  assertEquals(Math.round(timer.max()), 60);
  assertEquals(Math.round(timer.mean()), 30);
});

Deno.test("gauge() and functionCounter() read when they are asked, and a failure is no value", () => {
  const meters = new MeterRegistry();
  let value = 1;
  const gauge = meters.gauge("a", () => value);
  value = -2;
  assertEquals(gauge.value(), -2);
  const broken = meters.gauge("b", () => {
    throw new Error("no");
  });
  assertEquals(broken.value(), NaN);
  meters.functionCounter("c", () => NaN);
  assertEquals(meters.meters().map((meter) => meter.measure()[0]?.statistics), [
    { VALUE: -2 },
    { VALUE: NaN },
    {},
  ]);
});

Deno.test("a meter of one name has one kind and the same keys of tags", () => {
  const meters = new MeterRegistry();
  meters.counter("orders", { channel: "web" });
  meters.functionCounter("read", () => 1);
  meters.gauge("queue", () => 1, { of: "a" });
  meters.gauge("queue", () => 1, { of: "b" });
  const cases: [() => unknown, RegExp][] = [
    [() => meters.timer("orders"), /the timer 'orders': there is a counter of that name/],
    [() => meters.gauge("orders", () => 1), /the gauge 'orders': there is a counter/],
    [
      () => meters.functionCounter("orders", () => 1),
      /the function counter 'orders': there is a counter/,
    ],
    [() => meters.counter("read"), /the counter 'read': there is a function counter/],
    [
      () => meters.counter("orders", { country: "de", channel: "web" }),
      /'orders' with the tags 'channel', 'country': the counter of that name has the tags 'channel'/,
    ],
    [() => meters.counter("orders"), /'orders' with the tags none: .* has the tags 'channel'/],
    [() => meters.counter("orders", { toString: "a" }), /with the tags 'toString'/],
    [
      () => meters.gauge("queue", () => 2, { of: "a" }),
      /'queue' with the tags of:a: it is registered/,
    ],
  ];
  for (const [action, message] of cases) {
    assertMatch(assertThrows(action, TypeError).message, message);
  }
});

Deno.test("names that Prometheus or OpenTelemetry could not take, or not tell apart, are refused", () => {
  const meters = new MeterRegistry();
  meters.counter("orders");
  meters.timer("work");
  const cases: [() => unknown, RegExp][] = [
    [() => meters.counter(""), /the counter '': expected a name/],
    [() => meters.counter("1st"), /expected a name/],
    [() => meters.counter("grüße"), /expected a name/],
    [() => meters.counter(`a${"a".repeat(255)}`), /expected a name/],
    [
      () => meters.gauge("orders_total", () => 1),
      /from the counter 'orders', because both export 'orders_total'/,
    ],
    [
      () => meters.gauge("work.seconds.max", () => 1),
      /the timer 'work', because both export 'work_seconds_max'/,
    ],
    [() => meters.summary("work", {}, { baseUnit: "seconds" }), /there is a timer of that name/],
    [
      () => meters.summary("work.", {}, { baseUnit: "x" }) && meters.gauge("work_.x", () => 1),
      /work_/,
    ],
    [
      () => meters.counter("b", { "a.b": 1, a_b: 2 }),
      /the tag 'a_b': Prometheus cannot distinguish it from 'a.b'/,
    ],
    [() => meters.timer("b", { le: 1 }), /the tag 'le': Prometheus reserves/],
    [() => meters.counter("b", { "__x": 1 }), /the tag '__x': Prometheus reserves/],
    [() => meters.counter("b", { "": 1 }), /the tag '': expected a letter/],
  ];
  for (const [action, message] of cases) {
    assertMatch(assertThrows(action, TypeError).message, message);
  }
});

Deno.test("a meter has no more combinations of tags than it may, and says so once", async () => {
  const meters = new MeterRegistry({ maxTagCombinations: 2, commonTags: { region: "eu" } });
  const said = await warnings(() => {
    for (let user = 0; user < 50; user++) {
      meters.counter("logins", { user }).increment();
      meters.gauge("level", () => user, { user });
      meters.timer("time", { user, of: "a" }, { maxTagCombinations: 100 }).record(1);
    }
  });
  const [gauge, counter, timer] = meters.meters();
  assertEquals(
    counter?.measure().map(({ tags, statistics }) => [tags.get("user"), statistics.COUNT]),
    [
      ["0", 1],
      ["1", 1],
      ["_overflow", 48],
    ],
  );
  assertEquals(counter?.measure().at(-1)?.tags.get("region"), "eu");
  assertEquals([gauge?.measure().length, timer?.measure().length], [2, 50]);
  assertEquals(said.length, 2);
  assertMatch(
    said[0]!,
    /^The meter 'logins' has 2 combinations of its tags \('user'\): .*max-tag-combinations$/,
  );
});

Deno.test("management.metrics sets common tags, the limit and buckets", async () => {
  await using app = await start({
    metrics: {
      tags: { region: "eu", "team.name": "a" },
      "max-tag-combinations": 1,
      distribution: {
        "percentiles-histogram": { "orders.time": true },
        slo: { orders: { size: "64, 128" }, "http.server": ["50ms", "1s"], all: "1" },
        "minimum-expected-value": { "orders.time": "100ms" },
        "maximum-expected-value": { orders: { time: "1s" } },
      },
    },
  });
  const said = await warnings(async () => {
    await (await app.request("/place")).body?.cancel();
  });
  assertEquals(said.length, 1);
  const registry = app.context.get(MeterRegistry);
  const meter = (name: string) => registry.meters().find((meter) => meter.name === name)!;
  assertEquals(meter("orders.size").bounds, [64, 128]);
  assertEquals(meter("http.server.requests").bounds, [0.05, 1]);
  assertEquals(meter("orders.time").bounds, [0.001, 0.1, 0.25, 0.5, 0.75, 1]);
  assertEquals(meter("orders.time").measure()[0]?.buckets, [0, 0, 0, 1, 0, 0, 1]);
  assertEquals([...meter("orders.queue").measure()[0]!.tags], [["region", "eu"], [
    "team.name",
    "a",
  ]]);
});

Deno.test("management.metrics names a setting that is not what it has to be", async () => {
  const wrong: [ConfigMap, RegExp][] = [
    [{ "max-tag-combinations": 0 }, /max-tag-combinations.*above 0, found '0'/],
    [{ tags: { region: ["eu"] } }, /tags\.region.*expected a string/],
    [
      { tags: { "1region": "eu" } },
      /tags\.1region.*expected a letter, followed by letters, digits/,
    ],
    [{ tags: { le: "x" } }, /tags\.le.*Prometheus reserves this name/],
    [{ tags: { "a.b": "x", a_b: "x" } }, /tags\.a_b.*cannot distinguish it from 'a\.b'/],
    [{ distribution: { slo: { a: "soon" } } }, /slo\.a.*durations such as '50ms'.*found 'soon'/],
    [{ distribution: { slo: { a: { b: "0" } } } }, /slo\.a\.b.*above 0.*found '0'/],
    [{ distribution: { "minimum-expected-value": { a: "x" } } }, /minimum-expected-value\.a.*'x'/],
    [
      { distribution: { "maximum-expected-value": { a: "-1" } } },
      /maximum-expected-value\.a.*'-1'/,
    ],
    [{ distribution: { "maximum-expected-value": { a: "1s, 2s" } } }, /expected one.*'1s, 2s'/],
    [
      { distribution: { "percentiles-histogram": { a: "maybe" } } },
      /percentiles-histogram\.a.*'maybe'/,
    ],
    [
      { distribution: { "percentile-histogram": { all: true } } },
      /distribution\.percentile-histogram': Unknown setting: did you mean 'management\.metrics\.distribution\.percentiles-histogram'\?/,
    ],
    [{ "max-tag-combination": 5 }, /did you mean 'management\.metrics\.max-tag-combinations'\?/],
    [{ enable: { all: false } }, /expected one of .*, tags$/],
    [{ distribution: 5 }, /distribution.*expected a map/i],
  ];
  for (const [metrics, message] of wrong) {
    const error = await assertRejects(async () => {
      await using _ = await start({ metrics });
    }, ConfigError);
    assertMatch(error.message, message);
  }
});

Deno.test("management.metrics is passed over where it does not fit the kind of a meter", async () => {
  await using app = await start({
    metrics: {
      distribution: {
        slo: { all: ["50ms", 64], orders: { size: "1s, 64", time: "200, 1s" } },
        "percentiles-histogram": { "orders.size": "True" },
        "minimum-expected-value": { all: "1ms" },
        "maximum-expected-value": { all: 10 },
      },
    },
  });
  const response = await app.request("/place");
  assertEquals([response.status, await response.text()], [200, "placed"]);
  const meter = (name: string) =>
    app.context.get(MeterRegistry).meters().find((meter) => meter.name === name)!;
  assertEquals(meter("orders.time").bounds, [0.2, 1]);
  assertEquals(meter("orders.size").bounds, [5, 10, 64]);
  assertEquals(meter("http.server.requests").bounds, [0.05, 0.064]);
});

Deno.test("MeterRegistry + refuses a name of the library, and measures requests", async () => {
  await using app = await start();
  const meters = app.context.get(MeterRegistry);
  for (
    const take of [
      () => meters.counter("http.server.requests", { tenant: "a" }),
      () => meters.timer("http.server.requests", { a: 1 }),
      () => meters.timer("http.server.requests"),
      () => meters.gauge("http.server.requests.seconds", () => 1),
      () => meters.functionCounter("process.heap", () => 1),
      () => meters.gauge("process.uptime", () => 1),
    ]
  ) {
    assertThrows(take, TypeError, "Cannot register the");
  }
  assertEquals(meters.meters().some(({ name }) => name === "http.server.requests"), false);
  const response = await app.request("/place");
  assertEquals([response.status, await response.text()], [200, "placed"]);
  const metric = await app.request("/actuator/metrics/http.server.requests?tag=uri:/place");
  assertEquals((await metric.json()).measurements[0], { statistic: "COUNT", value: 1 });
});

Deno.test("MeterRegistry + a component that takes a name of the process is an error at startup", async () => {
  @Service()
  class Takes {
    @Autowired(MeterRegistry)
    private readonly meters!: MeterRegistry;
    constructor() {
      this.meters.gauge("process.uptime", () => 1);
    }
  }
  await assertRejects(
    () =>
      bootstrap({
        components: [Takes],
        config: { management: { endpoints: { include: "*" } } },
        extensions: [actuator()],
      }),
    TypeError,
    "'process.uptime'",
  );
});

Deno.test("requests are answered though nothing of them can be recorded", async () => {
  const taken = new MeterRegistry();
  taken.counter("http.server.requests", { mine: 1 });
  const failing = new MeterRegistry({
    instruments: {
      observe: () => () => {},
      sinks: () => () => () => {
        throw new Error("The SDK was shut down");
      },
    },
  });
  const found: (readonly [number[], readonly string[]])[] = [];
  for (const registry of [taken, failing]) {
    @RestController()
    class AnsweringController {
      @GetMapping("/take")
      take(): number {
        return 1;
      }
      @GetMapping("/fail")
      fail(): number {
        throw Object.defineProperty(new Error("no"), "name", { value: Symbol("x") });
      }
    }
    await using app = await bootstrap({
      components: [AnsweringController],
      config: { management: { endpoints: { include: "*" } } },
      extensions: [actuator(), () => ({ log: () => {} })],
      overrides: [[MeterRegistry, registry]],
    });
    const statuses: number[] = [];
    const said = await warnings(async () => {
      for (const path of ["/take", "/take", "/fail", "/nothing"]) {
        const response = await app.request(path);
        await response.body?.cancel();
        statuses.push(response.status);
      }
    });
    found.push([statuses, said]);
  }
  assertEquals(found, [
    [
      [200, 200, 500, 404],
      [
        "Requests are not measured: Cannot register the timer 'http.server.requests': " +
        "there is a counter of that name",
      ],
    ],
    [[200, 200, 500, 404], ["Requests are not measured: The SDK was shut down"]],
  ]);
});

Deno.test("bounds of a histogram are numbers above 0", () => {
  const meters = new MeterRegistry();
  for (const bound of [0, -1, NaN, Infinity]) {
    assertThrows(
      () => meters.summary("a", {}, { serviceLevelObjectives: [bound] }),
      RangeError,
      "bound",
    );
  }
  meters.summary("a", {}, { serviceLevelObjectives: [2, 1, 2] });
  assertEquals(meters.meters()[0]?.bounds, [1, 2]);
});
