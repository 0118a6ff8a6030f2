import { assertEquals } from "@std/assert";
import { GetMapping, type HttpRequest, ResponseEntity, RestController } from "../../mod.ts";
import { appOf } from "./helpers.ts";

Deno.test("HEAD + cancels the source of a stream, and lets generators finish", async () => {
  const ended: string[] = [];
  const source = (name: string) =>
    new ReadableStream({
      cancel() {
        ended.push(name);
      },
    });
  @RestController()
  class Streams {
    @GetMapping("/stream")
    stream() {
      return source("stream");
    }
    @GetMapping("/entity")
    entity() {
      return ResponseEntity.ok().setBody(source("entity"));
    }
    @GetMapping("/response")
    response() {
      return new Response(source("response"));
    }
    @GetMapping("/events")
    async *events() {
      try {
        while (true) yield await Promise.resolve("x");
      } finally {
        ended.push("events");
      }
    }
  }
  await using app = await appOf([Streams]);
  for (const name of ["stream", "entity", "response", "events"]) {
    const response = await app.request(`/${name}`, { method: "HEAD" });
    assertEquals([response.status, await response.text()], [200, ""]);
  }
  await Promise.resolve();
  // A generator that was never started has nothing to finish.
  assertEquals(ended.filter((name) => name !== "events"), ["stream", "entity", "response"]);
});

Deno.test("handlers + answer at once where nothing is asynchronous", async () => {
  @RestController()
  class Sync {
    @GetMapping("/now/{a}")
    now(request: HttpRequest) {
      return request.path;
    }
  }
  await using app = await appOf([Sync]);
  assertEquals(app.fetch(new Request("http://localhost/now/1")) instanceof Response, true);
});

Deno.test("Application + passes env and execution context on", async () => {
  @RestController()
  class Edge {
    @GetMapping("/env")
    env({ context }: HttpRequest) {
      context.executionCtx.waitUntil(Promise.resolve());
      return context.env;
    }
  }
  await using app = await appOf([Edge]);
  const waited: unknown[] = [];
  const executionCtx = {
    waitUntil: (promise: Promise<unknown>) => void waited.push(promise),
    passThroughOnException() {},
    props: {},
  };
  const { fetch } = app;
  const response = await fetch(new Request("http://localhost/env"), { KEY: "value" }, executionCtx);
  assertEquals(await response.json(), { KEY: "value" });
  assertEquals(waited.length, 1);
});

Deno.test("produces + names the charset of a text that the library writes", async () => {
  const html = { produces: "text/html" };
  @RestController()
  class Pages {
    @GetMapping({ path: "/text", ...html })
    text() {
      return "<p>é</p>";
    }
    @GetMapping({ path: "/pieces", ...html })
    *pieces() {
      yield "<p>é</p>";
    }
    @GetMapping({ path: "/bytes", ...html })
    bytes() {
      return new Uint8Array([0xe9]);
    }
    @GetMapping({ path: "/blob" })
    blob() {
      return new Blob(["\xe9"], { type: "text/html" });
    }
    @GetMapping({ path: "/named", produces: "text/html; charset=iso-8859-1" })
    named() {
      return "a";
    }
    @GetMapping({ path: "/xml", produces: "text/xml" })
    xml() {
      return { a: "é" };
    }
    @GetMapping({ path: "/json", produces: "application/json" })
    json() {
      return { a: "é" };
    }
    @GetMapping({ path: "/events", produces: "text/event-stream" })
    *events() {
      yield "é";
    }
  }
  await using app = await appOf([Pages]);
  const types = ["text", "pieces", "bytes", "blob", "named", "xml", "json", "events"].map(
    async (name) => {
      const answers = ["GET", "HEAD"].map((method) => app.request(`/${name}`, { method }));
      const [get, head] = await Promise.all(answers);
      await get!.body?.cancel();
      assertEquals(head!.headers.get("Content-Type"), get!.headers.get("Content-Type"), name);
      return get!.headers.get("Content-Type");
    },
  );
  assertEquals(await Promise.all(types), [
    "text/html;charset=UTF-8",
    "text/html;charset=UTF-8",
    "text/html",
    "text/html",
    "text/html; charset=iso-8859-1",
    "text/xml",
    "application/json",
    "text/event-stream",
  ]);
});
