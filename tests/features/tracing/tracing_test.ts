import { assertEquals, assertMatch } from "@std/assert";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import {
  type Application,
  bootstrap,
  GetMapping,
  PathVariable,
  RestController,
} from "../../../mod.ts";
import { traceHeaders, tracing } from "../../../src/features/tracing/mod.ts";

@RestController()
class Pages {
  @GetMapping("/users/{id}", PathVariable("id", "int"))
  async get(id: number): Promise<Record<string, string>> {
    await Promise.resolve();
    if (id === 13) throw new TypeError("It broke");
    return traceHeaders();
  }
}

async function start(): Promise<Application> {
  return await bootstrap({ components: [Pages], config: {}, extensions: [tracing()] });
}

async function withSdk(test: (spans: () => readonly ReadableSpan[]) => Promise<void>) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  try {
    await test(() => exporter.getFinishedSpans());
  } finally {
    await provider.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  }
}

Deno.test("tracing() makes a span for each request, below that of the caller", async () => {
  await withSdk(async (spans) => {
    await using app = await start();
    const response = await app.request("http://api.test:8080/users/7?secret=1", {
      headers: {
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "user-agent": "test",
      },
    });
    const { traceparent } = await response.json();
    const [span] = spans();
    const { traceId, spanId } = span!.spanContext();
    assertEquals([span!.name, span!.kind, span!.status.code], [
      "GET /users/{id}",
      SpanKind.SERVER,
      SpanStatusCode.UNSET,
    ]);
    assertEquals(span!.attributes, {
      "http.request.method": "GET",
      "url.scheme": "http",
      "url.path": "/users/7",
      "server.address": "api.test",
      "server.port": 8080,
      "http.route": "/users/{id}",
      "user_agent.original": "test",
      "http.response.status_code": 200,
    });
    assertEquals([traceId, span!.parentSpanContext?.spanId], [
      "0af7651916cd43dd8448eb211c80319c",
      "b7ad6b7169203331",
    ]);
    // The handler's own requests go on with it.
    assertEquals(traceparent, `00-${traceId}-${spanId}-01`);
  });
});

Deno.test("tracing() marks what the server failed in, and not what a client did wrong", async () => {
  await withSdk(async (spans) => {
    await using app = await start();
    const error = console.error;
    console.error = () => {};
    try {
      for (const [method, path] of [["GET", "/users/13"], ["GET", "/users/x"], ["BREW", "/nope"]]) {
        await (await app.request(path!, { method })).body?.cancel();
      }
    } finally {
      console.error = error;
    }
    assertEquals(
      spans().map(({ name, status, attributes }) => [
        name,
        status.code,
        attributes["http.response.status_code"],
        attributes["error.type"],
      ]),
      [
        ["GET /users/{id}", SpanStatusCode.ERROR, 500, "TypeError"],
        ["GET /users/{id}", SpanStatusCode.UNSET, 400, undefined],
        ["HTTP", SpanStatusCode.UNSET, 404, undefined],
      ],
    );
    assertMatch(`${spans()[0]?.events[0]?.attributes?.["exception.message"]}`, /It broke/);
    assertEquals(spans()[2]?.attributes["http.request.method_original"], "BREW");
  });
});

Deno.test("tracing() adds nothing where no SDK is registered", async () => {
  delete (globalThis as Record<symbol, unknown>)[Symbol.for("opentelemetry.js.api.1")];
  assertEquals(await tracing()({} as never), undefined);
  assertEquals(traceHeaders(), {});
});

Deno.test("tracing() makes the same spans under listen(), for plain requests and for all others", async () => {
  await withSdk(async (spans) => {
    const found: unknown[] = [];
    for (const isExtended of [false, true]) {
      const config = { server: { port: 0, address: "127.0.0.1" } };
      const app = await bootstrap({ components: [Pages], config, extensions: [tracing()] });
      if (isExtended) app.hono.get("/late", () => new Response(null));
      const { url } = await app.listen();
      const before = spans().length;
      for (const id of ["7", "x", "13"]) {
        const headers = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
        const response = await fetch(`${url}/users/${id}?a=1`, { headers });
        const text = await response.text();
        if (id === "7") assertMatch(text, /00-0af7651916cd43dd8448eb211c80319c-/);
      }
      found.push(
        spans().slice(before).map(({ name, attributes, status, events }) => [
          name,
          { ...attributes, "server.port": 0 },
          status,
          events.map(({ name }) => name),
        ]),
      );
      await app.close();
    }
    assertEquals(found[0], found[1]);
    assertEquals((found[0] as unknown[]).length, 3);
  });
});
