import { assertEquals, assertLess } from "@std/assert";
import fc from "fast-check";
import * as z from "zod";
import {
  type Application,
  bootstrap,
  type BootstrapOptions,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestHeader,
  RequestParam,
  ResponseEntity,
  RestController,
} from "../../mod.ts";
import { actuator } from "../../src/features/actuator/mod.ts";
import { requestContext } from "../../src/features/context/mod.ts";
import { logging } from "../../src/features/logging/mod.ts";
import {
  currentFields,
  laneObstacles,
  type Observer,
  observing,
  servedRoute,
} from "../../src/web/mod.ts";

const User = z.object({ name: z.string().min(1), tags: z.array(z.string()).optional() });

@RestController()
class Users {
  @GetMapping("/users/me")
  me() {
    return { id: 0 };
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    return { id };
  }

  @GetMapping("/users/{id}/{part}", PathVariable("id"), PathVariable("part"))
  part(id: string, part: string) {
    return [id, part];
  }

  @GetMapping(
    "/search",
    RequestParam("q", { required: false }),
    RequestParam("page", "int", { defaultValue: 1 }),
    RequestHeader("X-Lang", { required: false }),
  )
  async search(q: string | undefined, page: number, language: string | undefined) {
    await Promise.resolve();
    if (q === "late") throw new HttpError(409, "late");
    return { q, page, language };
  }

  @PostMapping({ path: "/users", status: HttpStatus.CREATED }, RequestBody(User))
  create(user: z.infer<typeof User>) {
    return user;
  }

  @GetMapping("/kinds/{kind}", PathVariable("kind"))
  kind(kind: string, request: HttpRequest): unknown {
    switch (kind) {
      case "text":
        return "text";
      case "none":
        return undefined;
      case "entity":
        return ResponseEntity.accepted().withHeader("X-A", "1").withJson({ a: 1 });
      case "response":
        return new Response("r");
      case "request":
        return {
          path: request.path,
          agent: request.header("X-Lang"),
          kind: request.pathVariable("kind"),
        };
      case "prepared":
        request.context.header("X-Prepared", "1");
        return { prepared: true };
      case "error":
        throw new Error("broken");
      case "bigint":
        return { big: 1n };
      case "not-found":
        return request.context.notFound();
      default:
        return { kind };
    }
  }
}

@RestController()
class Late {
  static read: (agent: string | undefined) => void = () => {};

  @GetMapping("/late")
  late(request: HttpRequest) {
    setTimeout(() => Late.read(request.headers.get("user-agent") ?? undefined), 20);
    return { late: true };
  }

  @GetMapping("/getter")
  getter(request: HttpRequest) {
    return {
      get path() {
        return request.path;
      },
    };
  }

  @GetMapping("/to-json")
  toJson(request: HttpRequest) {
    return {
      toJSON() {
        request.context.header("X-Set", "1");
        return { a: 1 };
      },
    };
  }
}

@RestController()
class Ids {
  static readonly seen: unknown[] = [];

  @GetMapping("/ids")
  async ids() {
    Ids.seen.push(currentFields()?.requestId);
    await Promise.resolve();
    Ids.seen.push(currentFields()?.requestId);
    throw new Error("broken");
  }
}

@RestController()
class Slow {
  @GetMapping("/slow")
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 1200));
    throw new Error("broken");
  }

  @PostMapping("/users", RequestParam("page", "int"), RequestBody())
  create(page: number, user: unknown) {
    return { page, user };
  }
}

@RestController()
class Files {
  @GetMapping("/files/**")
  file(request: HttpRequest) {
    return { file: request.path };
  }
}

async function started(options: BootstrapOptions = {}): Promise<Application> {
  const config = { "server.port": 0, "server.address": "127.0.0.1" };
  return await bootstrap({ components: [Users], config, ...options });
}

/** How many requests the Hono app of an application answers. */
function ordinary(app: Application): () => number {
  let count = 0;
  const { getPath } = app.hono;
  const counting: typeof getPath = (request, options) => {
    if (options !== undefined) count++; // The lane asks without them.
    return getPath(request, options);
  };
  Object.assign(app.hono, { getPath: counting });
  return () => count;
}

Deno.test("listen() answers plain requests without the Hono app, and all others with it", async () => {
  const app = await started();
  const count = ordinary(app);
  const { url } = await app.listen();
  const table: [isPlain: boolean, path: string, init?: RequestInit][] = [
    [true, "/users/7"],
    [true, "/users/me"],
    [true, "/users/x"],
    [true, "/users/a.b/c~d"],
    [true, "/search?q=a%20b&page=2"],
    [true, "/kinds/text"],
    [false, "/users/%37"],
    [false, "/users/7/"],
    [false, "/nothing"],
    [false, "/users/7", { method: "HEAD" }],
    [false, "/users/7", { method: "DELETE" }],
    [true, "/users", json('{"name":"Ada"}')],
    [true, "/users", json("{")],
    [false, "/users", { method: "POST", body: "{}" }],
    [false, "/users", json("")],
    [false, "/users", json(`{"name":"${"a".repeat(140_000)}"}`)],
  ];
  try {
    for (const [isPlain, path, init] of table) {
      const before = count();
      await (await fetch(url + path, init)).body?.cancel();
      assertEquals(count() - before, isPlain ? 0 : 1, `${init?.method ?? "GET"} ${path}`);
    }
  } finally {
    await app.close();
  }
});

Deno.test("listen() measures and logs plain requests without the Hono app", async () => {
  const app = await started({
    extensions: [actuator(), logging()],
    config: {
      "server.port": 0,
      "server.address": "127.0.0.1",
      "management.endpoints.web.exposure.include": "prometheus",
    },
  });
  const count = ordinary(app);
  const { url } = await app.listen();
  try {
    for (const path of ["/users/7", "/users/8", "/users/x"]) {
      await (await fetch(url + path)).body?.cancel();
    }
    assertEquals(count(), 0);
    const text = await (await fetch(`${url}/actuator/prometheus`)).text();
    const counts = text.split("\n").filter((line) => {
      return line.startsWith("http_server_requests_seconds_count") && line.includes("/users/{id}");
    });
    assertEquals(
      counts.map((line) => [/status="(\d+)"/.exec(line)?.[1], line.split(" ").at(-1)]).sort(),
      [["200", "2"], ["400", "1"]],
    );
  } finally {
    await app.close();
  }
});

Deno.test("listen() leaves everything to a Hono app that was extended, before it listens or later", async () => {
  for (const isLater of [false, true]) {
    for (
      const extend of [
        (app: Application) => app.hono.get("/late", (context) => context.text("late")),
        (app: Application) => app.hono.notFound((context) => context.text("none", 404)),
      ]
    ) {
      const app = await started();
      if (!isLater) extend(app);
      const count = ordinary(app);
      const { url } = await app.listen();
      if (isLater) extend(app);
      await (await fetch(`${url}/users/7`)).body?.cancel();
      assertEquals(count(), 1);
      await app.close();
    }
  }
});

Deno.test("listen() ends requests that are read while they are answered, and after that", async () => {
  const app = await started({ components: [Late] });
  const read = Promise.withResolvers<string | undefined>();
  Late.read = read.resolve;
  const count = ordinary(app);
  const { url } = await app.listen();
  const answers: [path: string, value: unknown, header: string | null][] = [
    ["/late", { late: true }, null],
    ["/getter", { path: "/getter" }, null],
    ["/to-json", { a: 1 }, "1"],
  ];
  for (const [path, value, header] of answers) {
    const response = await fetch(url + path, { headers: { "User-Agent": "test" } });
    assertEquals([await response.json(), response.headers.get("x-set")], [value, header]);
  }
  assertEquals([await read.promise, count()], ["test", 0]);
  const start = performance.now();
  await app.close();
  assertLess(performance.now() - start, 5000);
});

Deno.test("listen() gives a plain request one id: for its lines and its response", async () => {
  const app = await started({ components: [Ids], extensions: [requestContext()] });
  const { url } = await app.listen();
  const error = console.error;
  console.error = () => {};
  const { headers, body } = await fetch(`${url}/ids`);
  console.error = error;
  await body?.cancel();
  assertEquals(Ids.seen, Array(2).fill(headers.get("x-request-id")));
  await app.close();
});

Deno.test("listen() answers 503 to a plain request that fails after the timeout of the shutdown", async () => {
  const config = { "server.port": 0, "server.address": "127.0.0.1", "server.shutdown-timeout": 1 };
  const app = await started({ components: [Slow], config });
  const { url } = await app.listen();
  const asked = fetch(`${url}/slow`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const [{ status, body }] = await Promise.all([asked, app.close()]);
  await body?.cancel();
  assertEquals(status, 503);
});

const broken = () => {
  throw new Error("broken observer");
};
const FAILING: Readonly<Record<string, Observer>> = {
  "before the request": { around: broken },
  "with the request": { around: (request) => request.context.req.path ? broken() : broken() },
  "after the request": { around: (_, run) => [run(), broken()] as never },
  "later on": {
    around: (_, run) => (async () => [await run(), await broken()])() as never,
  },
  "when told of the response": { answered: broken },
};

for (const [when, observer] of Object.entries(FAILING)) {
  Deno.test(`listen() answers all requests and logs an observer that fails ${when}`, async () => {
    const logged: unknown[] = [];
    const log = (_message: string, error: unknown) => logged.push((error as Error).message);
    const app = await started({
      components: [Users, Ids],
      extensions: [() => ({ observe: observing(() => observer), log })],
    });
    const { url } = await app.listen();
    const expected = [["/users/7", 200], ["/users/%37", 200], ["/search", 200], ["/ids", 500]];
    for (const [path, status] of expected) {
      const response = await fetch(`${url}${path}`);
      await response.body?.cancel();
      assertEquals(response.status, status, `${path}`);
    }
    assertEquals(logged.filter((message) => message === "broken observer").length, 4);
    const start = performance.now();
    await app.close();
    assertLess(performance.now() - start, 2000);
  });
}

Deno.test("listen() reports a wrong parameter before a body that never comes", async () => {
  const config = { "server.port": 0, "server.address": "127.0.0.1", "server.request-timeout": 1 };
  const app = await started({ components: [Slow], config });
  const { address, port } = await app.listen();
  using connection = await Deno.connect({ hostname: address, port });
  const head = "POST /users?page=x HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n";
  await connection.write(new TextEncoder().encode(`${head}Content-Length: 9\r\n\r\n{`));
  const buffer = new Uint8Array(1000);
  const text = new TextDecoder().decode(buffer.subarray(0, await connection.read(buffer) ?? 0));
  assertEquals(text.slice(0, 12), "HTTP/1.1 400");
  await app.close();
});

Deno.test("listen() leaves paths to Hono that a rest matches, too", async () => {
  const app = await started({ components: [Users, Files] });
  const { url } = await app.listen();
  assertEquals(await (await fetch(`${url}/files/a`)).json(), { file: "/files/a" });
  assertEquals(await (await fetch(`${url}/users/7`)).json(), { id: 7 });
  await app.close();
});

/** The routes of an application, and a request to each. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a text that URLs may escape": { "/t/a@b": "/t/a@b", "/t/{v}": "/t/q" },
  "a text that begins with a dot": { "/t/.a": "/t/.a", "/t/{v}": "/t/q" },
  "a rest behind a variable": { "/": "/", "/{v}/**": "/q/r" },
  "a rest of other paths": { "/t/a": "/t/a", "/t/b/{v}/**": "/t/b/q/r", "/t/p-{v}": "/t/p-1" },
};

for (const [what, table] of Object.entries(TABLES)) {
  Deno.test(`listen() does without the Hono app what 'irori routes --explain' says, with ${what}`, async () => {
    const components = Object.keys(table).map((path, index) => {
      @RestController(`c${index}`)
      class Made {
        @GetMapping(path)
        get() {
          return { path };
        }
      }
      return Made;
    });
    const app = await started({ components });
    const count = ordinary(app);
    const { url } = await app.listen();
    const said = laneObstacles(app.routeTable.map(servedRoute));
    for (const [index, { path }] of app.routeTable.entries()) {
      const before = count();
      assertEquals(await (await fetch(url + table[path])).json(), { path });
      assertEquals([path, count() === before], [path, said[index] === undefined]);
    }
    await app.close();
  });
}

Deno.test("listen() answers 2,000 random requests as the application does without it", async () => {
  const error = console.error;
  console.error = () => {};
  const app = await started();
  const { url } = await app.listen();
  const other = await started();
  // An application that was extended has no lane.
  other.hono.get("/never", () => new Response(null));
  const [count, otherCount] = [ordinary(app), ordinary(other)];
  const { url: otherUrl } = await other.listen();
  try {
    await fc.assert(
      fc.asyncProperty(REQUEST, async ([path, init]) => {
        const [one, two] = await Promise.all([ask(url + path, init), ask(otherUrl + path, init)]);
        assertEquals(one, two, `${init.method} ${path}`);
      }),
      { numRuns: 2000 },
    );
    assertLess(count(), otherCount());
  } finally {
    console.error = error;
    await Promise.all([app.close(), other.close()]);
  }
});

const SEGMENT = fc.oneof(
  { arbitrary: fc.constantFrom("users", "me", "search", "kinds", "text", "none"), weight: 4 },
  fc.constantFrom("entity", "response", "request", "prepared", "error", "bigint", "not-found"),
  fc.constantFrom("7", "-1", "0x1", "a.b", "..", "%37", "%2F", "%", "a b", "ä", "", ":p1", "*"),
  fc.string({ maxLength: 4 }).map((text) => text.replace(/[?#\\]/g, "")),
);
const PATH = fc.array(SEGMENT, { minLength: 1, maxLength: 4 }).map((parts) =>
  `/${parts.join("/")}`
);
const QUERY = fc.constantFrom(
  "",
  "?",
  "?q=1",
  "?q=a%20b&page=2",
  "?page=x",
  "?q=%",
  "?q=1&q=2",
  "?q=late",
);
const TYPE = fc.constantFrom(
  "application/json",
  "application/JSON; charset=utf-8",
  "text/plain",
  "",
);
const BODY = fc.oneof(
  fc.constantFrom('{"name":"Ada"}', '{"name":""}', "{", "", "null", '{"name":"\ud800"}', "[1]"),
  fc.json({ maxDepth: 2 }),
);
const HEADERS = fc.constantFrom<Record<string, string>>({}, { "X-Lang": "de" }, {
  "X-Lang": "a, b",
});
const REQUEST = fc.tuple(
  PATH,
  QUERY,
  HEADERS,
  fc.constantFrom("GET", "GET", "POST", "HEAD", "PUT"),
  TYPE,
  BODY,
)
  .map(([path, query, headers, method, type, body]): [string, RequestInit] => {
    const isPost = method === "POST" || method === "PUT";
    const fields = { ...headers, ...(isPost && type && { "Content-Type": type }) };
    return [path + query, { method, headers: fields, ...(isPost && { body }) }];
  });

/** How a body is sent depends on who made it; ids are random. */
const IGNORED = new Set(["date", "content-length", "transfer-encoding", "x-request-id"]);

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const headers = [...response.headers].filter(([name]) => !IGNORED.has(name));
  return { status: response.status, headers, body: await response.text() };
}

function json(body: string): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body };
}
