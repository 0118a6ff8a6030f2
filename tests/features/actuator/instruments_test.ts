import { assert, assertEquals } from "@std/assert";
import { metrics } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from "@opentelemetry/sdk-metrics";
import { type Application, bootstrap, GetMapping, RestController } from "../../../mod.ts";
import { actuator, MeterRegistry } from "../../../src/features/actuator/mod.ts";
import { runProgram } from "../../servers/python.ts";

@RestController()
class Pages {
  @GetMapping("/pages/{id}")
  get(): string {
    return "page";
  }
}

/** Runs with an SDK for metrics, as an application has it that loads one before its own modules. */
async function withSdk<E extends PushMetricExporter>(
  exporter: E,
  test: (exporter: E, flush: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  try {
    await test(exporter, () => provider.forceFlush());
  } finally {
    await provider.shutdown();
    metrics.disable();
  }
}

async function start(): Promise<Application> {
  return await bootstrap({ components: [Pages], config: {}, extensions: [actuator()] });
}

function record(meters: MeterRegistry): void {
  meters.counter("orders", { channel: "web" }, { description: "Orders" }).increment(2);
  meters.counter("orders", { channel: "web" }).increment();
  meters.gauge("queue", () => 7, { of: "mail" });
  meters.gauge("broken", () => NaN);
  meters.timer("work", {}, { serviceLevelObjectives: [100] }).record(50);
  meters.summary("size", {}, { baseUnit: "bytes" }).record(300);
  meters.functionCounter("read", () => 4);
}

Deno.test("MeterRegistry + an SDK of OpenTelemetry has its meters as instruments", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  await withSdk(exporter, async (exporter, flush) => {
    await using app = await start();
    record(app.context.get(MeterRegistry));
    await (await app.request("/pages/1")).body?.cancel();
    await flush();
    const [scope] = exporter.getMetrics().at(-1)!.scopeMetrics;
    assertEquals(scope?.scope.name, "irori");
    const found = new Map(scope!.metrics.map(({ descriptor, dataPoints }) => {
      return [descriptor.name, { unit: descriptor.unit, points: dataPoints }];
    }));
    const points = (name: string) => found.get(name)?.points.map((p) => [p.attributes, p.value]);
    assertEquals(points("orders"), [[{ channel: "web" }, 3]]);
    assertEquals(points("queue"), [[{ of: "mail" }, 7]]);
    assertEquals(points("read"), [[{}, 4]]);
    assertEquals(points("broken") ?? [], []);
    const [[, work] = []] = points("work") as [
      unknown,
      { sum: number; count: number; buckets: unknown },
    ][];
    assertEquals(
      work,
      {
        min: 0.05,
        max: 0.05,
        sum: 0.05,
        count: 1,
        buckets: { boundaries: [0.1], counts: [1, 0] },
      } as unknown as typeof work,
    );
    assertEquals([found.get("work")?.unit, found.get("size")?.unit, found.get("orders")?.unit], [
      "s",
      "By",
      "",
    ]);
    assertEquals(found.get("http.server.requests")?.points[0]?.attributes, {
      error: "none",
      exception: "none",
      method: "GET",
      outcome: "SUCCESS",
      status: "200",
      uri: "/pages/{id}",
    });
    assert((found.get("process.uptime")?.points[0]?.value as number) > 0);
  });
});

Deno.test("MeterRegistry + an SDK of OpenTelemetry has bounds of seconds for timers", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  await withSdk(exporter, async (exporter, flush) => {
    await using app = await start();
    app.context.get(MeterRegistry).timer("plain").record(30);
    app.context.get(MeterRegistry).summary("amount").record(30);
    await flush();
    const [scope] = exporter.getMetrics().at(-1)!.scopeMetrics;
    const boundaries = (name: string) =>
      (scope!.metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints[0]?.value as {
        buckets: { boundaries: number[] };
      }).buckets.boundaries;
    assertEquals(
      boundaries("plain"),
      [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    );
    assertEquals(boundaries("amount").at(-1), 10_000);
  });
});

Deno.test("MeterRegistry + an SDK of OpenTelemetry is not read by it after its application", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  await withSdk(exporter, async (exporter, flush) => {
    let reads = 0;
    const app = await start();
    app.context.get(MeterRegistry).gauge("a", () => ++reads);
    await flush();
    assertEquals(reads, 1);
    await app.close();
    await flush();
    assertEquals(reads, 1);
    assert(exporter.getMetrics().length > 0);
  });
});

Deno.test("MeterRegistry + the OTLP exporter of an SDK reaches a collector", async () => {
  const received: { name: string }[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      assertEquals(new URL(request.url).pathname, "/v1/metrics");
      const { resourceMetrics } = await request.json();
      for (const { scopeMetrics } of resourceMetrics) {
        for (const { metrics } of scopeMetrics) received.push(...metrics);
      }
      return Response.json({});
    },
  );
  try {
    const url = `http://127.0.0.1:${server.addr.port}/v1/metrics`;
    await withSdk(new OTLPMetricExporter({ url }), async (_, flush) => {
      await using app = await start();
      record(app.context.get(MeterRegistry));
      await flush();
    });
  } finally {
    await server.shutdown();
  }
  const names = new Set(received.map(({ name }) => name));
  for (const name of ["orders", "queue", "work", "size", "read"]) assert(names.has(name), name);
});

Deno.test("MeterRegistry + OTEL_DENO reaches a collector", async () => {
  const bodies: string[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      bodies.push(await request.text());
      return Response.json({});
    },
  );
  const script = `
    import { bootstrap } from "irori";
    import { actuator, MeterRegistry } from "irori/actuator";
    await using app = await bootstrap({ config: {}, extensions: [actuator()] });
    app.context.get(MeterRegistry).counter("orders.placed", { channel: "web" }).increment(3);
  `;
  try {
    const args = ["run", "-A", "--no-check", "--ext=ts", "--config", "deno.json", "-"];
    const { code, text } = await runProgram(Deno.execPath(), args, {
      input: script,
      env: {
        OTEL_DENO: "true",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      },
    });
    assertEquals(code, 0, text);
  } finally {
    await server.shutdown();
  }
  assert(bodies.some((body) => body.includes('"orders.placed"')), bodies.join("\n").slice(0, 2000));
});
