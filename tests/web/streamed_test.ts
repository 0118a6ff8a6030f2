import { assertEquals } from "@std/assert";
import { AsyncLocalStorage } from "node:async_hooks";
import {
  Component,
  type ErrorController,
  GetMapping,
  HttpError,
  type HttpRequest,
  ResponseEntity,
  RestController,
} from "../../mod.ts";
import { appOf, logged } from "./helpers.ts";

Deno.test("generators + that fail before their first value are answered by the error controller", async () => {
  class Missing extends Error {}
  @RestController()
  class Feed {
    // deno-lint-ignore require-yield
    @GetMapping("/feed")
    async *feed() {
      await Promise.resolve();
      throw new Missing();
    }
  }
  @Component("errorController")
  class Errors implements ErrorController {
    handleError(_: HttpRequest, response: ResponseEntity, __: unknown, error?: unknown) {
      if (error instanceof Missing) response.withStatusCode(404).withJson({ own: true });
    }
  }
  await using app = await appOf([Feed, Errors]);
  const lines = await logged(async () => {
    const response = await app.request("/feed");
    assertEquals([response.status, await response.json()], [404, { own: true }]);
  });
  assertEquals(lines, []);
});

Deno.test("generators + whose answer cannot be made run their 'finally'", async () => {
  const ended = Promise.withResolvers<void>();
  @RestController()
  class Feed {
    async *feed() {
      try {
        yield await Promise.resolve("first");
        yield "never asked for";
      } finally {
        ended.resolve();
      }
    }
    @GetMapping("/feed")
    get() {
      const entity = ResponseEntity.ok().setBody(this.feed());
      entity.headers.set("X-A", "a\x01");
      return entity;
    }
  }
  await using app = await appOf([Feed]);
  await logged(async () => {
    assertEquals((await app.request("/feed")).status, 500);
  });
  await ended.promise;
});

Deno.test("generators + of events with a parameter in their type are not kept by proxies", async () => {
  @RestController()
  class Feed {
    @GetMapping({ path: "/feed", produces: "text/event-stream; charset=utf-8" })
    async *feed() {
      yield await Promise.resolve("first");
    }
  }
  await using app = await appOf([Feed]);
  const response = await app.request("/feed");
  assertEquals(response.headers.get("Cache-Control"), "no-cache");
  assertEquals(await response.text(), "data: first\n\n");
});

Deno.test("generators + without a value for a second let the head go out, event streams with a comment", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  @RestController()
  class Late {
    @GetMapping("/events")
    async *events() {
      yield await promise;
    }
    @GetMapping({ path: "/text", produces: "text/csv" })
    async *text() {
      yield await promise;
    }
  }
  await using app = await appOf([Late]);
  // Given only then: these would wait for ever if the head waited for the first value.
  const responses = await Promise.all([app.request("/events"), app.request("/text")]);
  resolve("late");
  const texts = await Promise.all(responses.map((response) => response.text()));
  assertEquals(texts, [":\n\ndata: late\n\n", "late"]);
});

Deno.test("generators + keep what AsyncLocalStorage held when they were called", async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  @RestController()
  class Feed {
    @GetMapping("/feed")
    async *feed() {
      try {
        for (let i = 0; i < 3; i++) {
          yield String(storage.getStore());
          await Promise.resolve();
        }
        while (true) yield "more";
      } finally {
        seen.push(storage.getStore());
      }
    }
  }
  await using app = await appOf([Feed], {
    middleware: [(_, next) => storage.run("request", next)],
  });
  const reader = (await app.request("/feed")).body!.getReader();
  for (let i = 0; i < 3; i++) {
    const { value } = await storage.run("reader", () => reader.read());
    assertEquals(new TextDecoder().decode(value), "data: request\n\n");
  }
  await reader.cancel();
  assertEquals(seen, ["request"]);
});

Deno.test("generators + are asked for no more than one value before the client reads", async () => {
  let asked = 0;
  @RestController()
  class Feed {
    @GetMapping("/feed")
    async *feed() {
      while (true) yield await Promise.resolve(++asked);
    }
  }
  await using app = await appOf([Feed]);
  const reader = (await app.request("/feed")).body!.getReader();
  assertEquals(asked, 1);
  await reader.read();
  await reader.read();
  assertEquals(asked, 2);
  await reader.cancel();
});

Deno.test("generators + that fail later end their stream with that failure", async () => {
  @RestController()
  class Feed {
    @GetMapping("/feed")
    async *feed() {
      yield await Promise.resolve("first");
      throw new HttpError(409, "too late");
    }
  }
  await using app = await appOf([Feed]);
  const response = await app.request("/feed");
  assertEquals(response.status, 200);
  const failure = await response.text().catch((error) => error.message);
  assertEquals(failure, "too late");
});

Deno.test("event streams + say that they are silent, others do not, and the last comment is before the end", async () => {
  const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  const ended: string[] = [];
  @RestController()
  class Silent {
    @GetMapping("/events")
    async *events() {
      try {
        yield "first";
        yield await gates[0].promise;
      } finally {
        ended.push("events");
      }
    }
    @GetMapping("/entity")
    entity() {
      return ResponseEntity.ok().setBody(this.events());
    }
    @GetMapping({ path: "/text", produces: "text/csv" })
    async *text() {
      yield "first";
      yield await gates[1].promise;
    }
    @GetMapping("/stream")
    stream() {
      return ResponseEntity.ok().withHeader("Content-Type", "text/event-stream").setBody(
        ReadableStream.from((async function* () {
          yield new TextEncoder().encode("data: half");
          yield new TextEncoder().encode(`${await gates[1].promise}\n\n`);
        })()),
      );
    }
  }
  await using app = await appOf([Silent], { config: { server: { sse: { heartbeat: 0.01 } } } });
  const open = async (path: string) => {
    const { body } = await app.request(path);
    return body!.pipeThrough(new TextDecoderStream()).getReader();
  };
  const [text, stream] = await Promise.all([open("/text"), open("/stream")]);
  const halves = [text, stream].map(async (reader) => [await reader.read(), await reader.read()]);
  for (const path of ["/events", "/entity"]) {
    const events = await open(path);
    const read = async () => (await events.read()).value;
    assertEquals([await read(), await read(), await read()], [
      "data: first\n\n",
      ":\n\n",
      ":\n\n",
    ]);
    if (path === "/events") {
      await events.cancel();
      continue;
    }
    gates[0].resolve("last");
    let last = await read();
    while (last === ":\n\n") last = await read();
    assertEquals([last, await read()], ["data: last\n\n", undefined]);
  }
  gates[1].resolve("second");
  const pieces = (await Promise.all(halves)).map((found) => found.map(({ value }) => value));
  assertEquals(pieces, [["first", "second"], ["data: half", "second\n\n"]]);
  assertEquals(ended, ["events", "events"]);
  await Promise.all([text.cancel(), stream.cancel()]);
});

Deno.test("event streams + that a handler returns as one text are not kept by proxies either", async () => {
  @RestController()
  class Feed {
    @GetMapping({ path: "/feed", produces: "text/event-stream" })
    feed() {
      return "data: 1\n\n";
    }
  }
  await using app = await appOf([Feed]);
  const { headers } = await app.request("/feed");
  assertEquals(
    [headers.get("content-type"), headers.get("cache-control")],
    ["text/event-stream", "no-cache"],
  );
});
