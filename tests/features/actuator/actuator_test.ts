import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  type Application,
  bootstrap,
  ConfigError,
  GetMapping,
  HttpError,
  PathVariable,
  RestController,
  Service,
} from "../../../mod.ts";
import type { ConfigMap } from "../../../src/config/mod.ts";
import {
  actuator,
  type ActuatorOptions,
  type Health,
  type HealthIndicator,
} from "../../../src/features/actuator/mod.ts";

@RestController()
class UserController {
  @GetMapping({ path: "/users/{id}", produces: "application/json" }, PathVariable("id", "int"))
  get(id: number): { id: number } {
    if (id === 13) throw new HttpError(404, "There is no user 13");
    return { id };
  }
}

const up = (): Health => ({ status: "UP", details: { region: "eu" } });
let paymentHealth = up;

@Service()
class PaymentHealthIndicator implements HealthIndicator {
  health(): Health {
    return paymentHealth();
  }
}

const ALL = { endpoints: { web: { exposure: { include: "*" } } } };
const DETAILS = { endpoint: { health: { "show-details": "always" } } };

async function start(
  management: ConfigMap = {},
  options?: ActuatorOptions,
  more: ConfigMap = {},
): Promise<Application> {
  return await bootstrap({
    components: [UserController, PaymentHealthIndicator],
    config: { management, ...more },
    extensions: [actuator(options)],
  });
}

async function get(app: Application, path: string): Promise<[status: number, body: unknown]> {
  const response = await app.request(path);
  const text = await response.text();
  return [response.status, text.startsWith("{") ? JSON.parse(text) : text];
}

Deno.test("actuator() exposes health alone, and links to what is exposed", async () => {
  await using app = await start();
  assertEquals(await get(app, "/actuator"), [200, {
    _links: {
      self: { href: "http://localhost/actuator", templated: false },
      health: { href: "http://localhost/actuator/health", templated: false },
      "health-path": { href: "http://localhost/actuator/health/{path}", templated: true },
    },
  }]);
  assertEquals(await get(app, "/actuator/health"), [200, {
    status: "UP",
    groups: ["liveness", "readiness"],
  }]);
  for (const name of ["info", "env", "metrics", "prometheus", "beans", "mappings", "loggers"]) {
    assertEquals((await get(app, `/actuator/${name}`))[0], 404, name);
  }
  const response = await app.request("/actuator/health");
  assertEquals(
    response.headers.get("content-type"),
    "application/vnd.spring-boot.actuator.v3+json",
  );
  await response.body?.cancel();
});

Deno.test("actuator() answers 503 when something is down, and probes only with their group", async () => {
  await using app = await start({
    ...DETAILS,
    endpoint: {
      health: {
        "show-details": "always",
        group: { readiness: { include: ["readinessState", "payment"] } },
      },
    },
  });
  assertEquals(await get(app, "/actuator/health/payment"), [200, {
    status: "UP",
    details: { region: "eu" },
  }]);
  try {
    paymentHealth = () => {
      throw new Error("unreachable");
    };
    const down = { status: "DOWN", details: { error: "Error: unreachable" } };
    assertEquals(await get(app, "/actuator/health"), [503, {
      status: "DOWN",
      components: { ping: { status: "UP" }, payment: down },
      groups: ["liveness", "readiness"],
    }]);
    assertEquals((await get(app, "/actuator/health/readiness"))[0], 503);
    assertEquals((await get(app, "/actuator/health/liveness"))[0], 200);
    paymentHealth = () => ({ status: "OUT_OF_SERVICE" });
    assertEquals((await get(app, "/actuator/health"))[0], 503);
    paymentHealth = () => ({ status: "UNKNOWN" });
    assertEquals((await get(app, "/actuator/health"))[0], 200);
  } finally {
    paymentHealth = up;
  }
  assertEquals((await get(app, "/actuator/health/nope"))[0], 404);
});

Deno.test("actuator() shows no component of health unless details are shown", async () => {
  await using app = await start();
  assertEquals((await get(app, "/actuator/health/payment"))[0], 404);
});

Deno.test("actuator() waits 10 s for an indicator, and answers DOWN", async () => {
  const { setTimeout } = globalThis;
  globalThis.setTimeout =
    ((action: () => void, ms?: number) =>
      setTimeout(action, ms === 10_000 ? 1 : ms)) as typeof setTimeout;
  try {
    const silent = { health: () => new Promise<never>(() => {}) };
    const app = await bootstrap({
      config: { management: { endpoint: { health: { "show-details": "always" } } } },
      extensions: [actuator({ health: [() => ({ silent })] })],
    });
    const response = await app.request("/actuator/health/silent");
    const expected = { status: "DOWN", details: { error: "No result within 10 s" } };
    assertEquals([response.status, await response.json()], [503, expected]);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
});

Deno.test("actuator() takes indicators from contributors", async () => {
  await using app = await start(DETAILS, {
    health: [(config) => ({
      [config.string("db", "")]: { health: () => Promise.resolve({ status: "DOWN" as const }) },
    })],
  }, { db: "main" });
  const [status, body] = await get(app, "/actuator/health");
  assertEquals(status, 503);
  assertEquals((body as { components: unknown }).components, {
    ping: { status: "UP" },
    payment: { status: "UP", details: { region: "eu" } },
    main: { status: "DOWN" },
  });
});

Deno.test("actuator() times requests by route and status, for Micrometer's readers and for Prometheus", async () => {
  await using app = await start(ALL);
  for (const path of ["/users/1", "/users/2", "/users/13", "/nope", "/users/x"]) {
    await get(app, path);
  }
  const [, names] = await get(app, "/actuator/metrics");
  assert((names as { names: string[] }).names.includes("http.server.requests"));
  const [, metric] = await get(app, "/actuator/metrics/http.server.requests?tag=status:200");
  const { measurements, availableTags, baseUnit } = metric as {
    measurements: { statistic: string; value: number }[];
    availableTags: { tag: string; values: string[] }[];
    baseUnit: string;
  };
  assertEquals([baseUnit, measurements.map(({ statistic }) => statistic)], [
    "seconds",
    ["COUNT", "TOTAL_TIME", "MAX"],
  ]);
  assertEquals(measurements[0]?.value, 2);
  assert(measurements[1]!.value >= measurements[2]!.value && measurements[2]!.value > 0);
  assertEquals(availableTags.find(({ tag }) => tag === "uri")?.values, ["/users/{id}"]);
  assertEquals(availableTags.some(({ tag }) => tag === "status"), false);

  const [, text] = await get(app, "/actuator/prometheus");
  assertMatch(
    String(text),
    /^http_server_requests_seconds_count\{error="none",exception="none",method="GET",outcome="SUCCESS",status="200",uri="\/users\/\{id\}"\} 2$/m,
  );
  assertMatch(String(text), /exception="HttpError",.*status="404",uri="\/users\/\{id\}"\} 1$/m);
  assertMatch(String(text), /status="404",uri="NOT_FOUND"\} 1$/m);
  assertMatch(String(text), /^# TYPE http_server_requests_seconds summary$/m);
  assertMatch(String(text), /^process_resident_memory_bytes [\d.e+]+$/m);
  assertEquals((await get(app, "/actuator/metrics/nope"))[0], 404);
  assertEquals((await get(app, "/actuator/metrics/http.server.requests?tag=x"))[0], 400);
});

Deno.test("actuator() makes no label of what clients make up", async () => {
  await using app = await start(ALL);
  for (let i = 0; i < 50; i++) await get(app, `/made-up/${i}`);
  await (await app.request("/users/1", { method: "BREW" })).body?.cancel();
  await (await app.request("/users/1", { method: "STIR" })).body?.cancel();
  const [, text] = await get(app, "/actuator/prometheus");
  assertEquals(String(text).includes("made-up"), false);
  assertEquals(String(text).includes("BREW"), false);
  const samples = String(text).split("\n").map((line) => line.split(" ")[0]!)
    .filter((name) => name.startsWith("http_server_requests_seconds_count"));
  assertEquals(samples.length, new Set(samples).size, "a series is there twice");
});

Deno.test("actuator() has an end of labels for names of errors that an application makes up", async () => {
  @RestController()
  class Failing {
    #count = 0;

    @GetMapping("/failing")
    fail(): void {
      const error = new HttpError(409, "again");
      Object.defineProperty(error, "name", { value: `Error${this.#count++}` });
      throw error;
    }
  }
  await using app = await bootstrap({
    components: [Failing],
    config: { management: ALL },
    extensions: [actuator()],
  });
  for (let i = 0; i < 150; i++) await get(app, "/failing");
  const [, text] = await get(app, "/actuator/prometheus");
  const counts = String(text).split("\n").filter((line) => {
    return line.startsWith("http_server_requests_seconds_count{") && line.includes("/failing");
  });
  assertEquals([counts.length, counts.find((line) => line.includes("_overflow"))?.split(" ")[1]], [
    101,
    "50",
  ]);
});

Deno.test("actuator() shows beans, mappings, info and configuration, but no value of it", async () => {
  await using app = await start(ALL, {}, {
    info: { app: { name: "users" } },
    profiles: { active: "cloud, eu" },
    secret: { key: "s3cr3t" },
    list: ["s3cr3t", { a: "s3cr3t" }],
  });
  assertEquals(await get(app, "/actuator/info"), [200, { app: { name: "users" } }]);
  const [, beans] = await get(app, "/actuator/beans");
  assertStringIncludes(JSON.stringify(beans), '"userController":{"aliases":[],"scope":"singleton"');
  const [, mappings] = await get(app, "/actuator/mappings");
  assertStringIncludes(JSON.stringify(mappings), '"patterns":["/users/{id}"]');
  assertStringIncludes(
    JSON.stringify(mappings),
    '"predicate":"{GET [/users/{id}], produces [application/json]}"',
  );
  for (const name of ["env", "configprops"]) {
    const [status, body] = await get(app, `/actuator/${name}`);
    const text = JSON.stringify(body);
    assertEquals(status, 200);
    assertEquals(text.includes("s3cr3t"), false, text);
    assertStringIncludes(text, "******");
  }
  const [, env] = await get(app, "/actuator/env");
  assertStringIncludes(JSON.stringify(env), "list[1].a");
  assertStringIncludes(JSON.stringify(env), '"activeProfiles":["cloud","eu"]');
});

Deno.test("actuator() shows migrations that are given to it", async () => {
  await using app = await start(ALL, {
    migrations: [() => Promise.resolve({ main: [{ file: "1.sql", state: "applied" }] })],
  });
  assertEquals(await get(app, "/actuator/migrations"), [200, {
    contexts: { application: { migrations: { main: [{ file: "1.sql", state: "applied" }] } } },
  }]);
});

Deno.test("actuator() moves with its base path and the context path", async () => {
  await using app = await start(
    { endpoints: { web: { "base-path": "/manage" } } },
    {},
    { server: { "context-path": "/api" } },
  );
  assertEquals((await get(app, "/api/manage/health"))[0], 200);
  assertEquals((await get(app, "/actuator/health"))[0], 404);
});

Deno.test("actuator() reads the components of a group as a text with commas, too", async () => {
  await using app = await start({
    endpoint: { health: { group: { all: { include: "readinessState, payment" } } } },
  });
  assertEquals(await get(app, "/actuator/health/all"), [200, { status: "UP" }]);
  try {
    paymentHealth = () => ({ status: "DOWN" });
    assertEquals((await get(app, "/actuator/health/all"))[0], 503);
  } finally {
    paymentHealth = up;
  }
});

Deno.test("actuator() takes the context path '/' for none", async () => {
  await using app = await start({}, {}, { server: { "context-path": "/" } });
  assertEquals((await get(app, "/actuator/health"))[0], 200);
});

Deno.test("actuator() names a setting that is not what it has to be", async () => {
  const wrong: [ConfigMap, RegExp][] = [
    [{ endpoints: { web: { "base-path": "actuator" } } }, /base-path.*'actuator'/],
    [{ endpoint: { health: { "show-details": "sometimes" } } }, /show-details.*'sometimes'/],
  ];
  for (const [management, message] of wrong) {
    const error = await assertRejects(() => start(management), ConfigError);
    assertMatch(error.message, message);
  }
});
