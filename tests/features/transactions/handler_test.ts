import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import {
  Autowired,
  Bean,
  binder,
  bootstrap,
  Configuration,
  decorate,
  ExceptionHandler,
  GetMapping,
  type HttpRequest,
  inject,
  MappingError,
  PathVariable,
  PostMapping,
  RequestBody,
  ResponseEntity,
  RestController,
  Service,
  Use,
} from "irori";
import {
  afterCommit,
  afterRollback,
  current,
  rollbackAfter,
  Transactional,
  TransactionManager,
} from "irori/transactions";
import { cors } from "hono/cors";
import { MultipartStream } from "../../../src/features/multipart/mod.ts";
import { webSocket } from "../../../src/features/websocket/mod.ts";
import * as z from "zod";
import { conflict, RecordingManager } from "./recording_manager.ts";

type Components = NonNullable<Parameters<typeof bootstrap>[0]>["components"];

/** An application with a manager that writes down what happens, and the console's errors. */
async function start(...components: NonNullable<Components>) {
  const manager = new RecordingManager();
  @Configuration()
  class Managers {
    @Bean({ type: TransactionManager })
    manager(): TransactionManager {
      return manager;
    }
  }
  const errors: string[] = [];
  const app = await bootstrap({
    components: [Managers, ...components],
    extensions: [() => ({ log: (message, _, level) => void errors.push(`${level}: ${message}`) })],
  });
  const send = async (method: string, path: string, body?: unknown) => {
    manager.log.length = 0;
    const response = await app.request(path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      }),
    });
    const text = await response.text();
    return [response.status, manager.log.join(", "), text] as const;
  };
  return { app, manager, send, errors, [Symbol.asyncDispose]: () => app.close() };
}

class Refused extends Error {}

@RestController()
class NoteController {
  private readonly manager = inject(TransactionManager) as RecordingManager;

  @PostMapping(
    { path: "/notes", returns: z.object({ id: z.number().max(9) }) },
    RequestBody(z.object({ id: z.number() })),
  )
  @Transactional()
  async create({ id }: { id: number }) {
    current(this.manager)(`insert ${id}`);
    afterCommit(() => this.manager.log.push("after commit"));
    afterRollback(() => this.manager.log.push("after rollback"));
    return await Promise.resolve({ id });
  }

  @Transactional()
  @GetMapping("/rendered")
  async rendered() {
    const toJSON = () => {
      current(this.manager)("render");
      return { is: "rendered" };
    };
    return await Promise.resolve({ toJSON });
  }

  @GetMapping("/unrendered")
  @Transactional()
  async unrendered() {
    return await Promise.resolve({ n: 1n });
  }

  @GetMapping("/entity")
  @Transactional()
  async entity() {
    return await Promise.resolve(ResponseEntity.badRequest().withJson({ is: "no" }));
  }

  @GetMapping("/failing")
  @Transactional()
  async failing(): Promise<void> {
    current(this.manager)("insert");
    await Promise.reject(new Refused("refused"));
  }

  @ExceptionHandler(Refused)
  refused({ message }: Refused) {
    this.manager.log.push("handle");
    return ResponseEntity.unprocessableEntity().withJson({ message });
  }
}

Deno.test("@Transactional on a handler + commits when the response is rendered", async () => {
  await using app = await start(NoteController);
  assertEquals(await app.send("POST", "/notes", { id: 1 }), [
    200,
    "begin, insert 1, commit, after commit",
    '{"id":1}',
  ]);
  assertEquals(await app.send("GET", "/rendered"), [
    200,
    "begin, render, commit",
    '{"is":"rendered"}',
  ]);
  assertEquals((await app.send("GET", "/entity")).slice(0, 2), [400, "begin, commit"]);
});

Deno.test("@Transactional on a handler + is a savepoint in a test that rolls back", async () => {
  await using app = await start(NoteController);
  const manager = Object.assign(app.manager, {
    execute: (_: unknown, sql: string) => Promise.resolve(void app.manager.log.push(sql)),
  });
  await rollbackAfter(manager, async () => {
    assertEquals(
      (await app.send("POST", "/notes", { id: 1 }))[1],
      "SAVEPOINT irori_1, insert 1, RELEASE SAVEPOINT irori_1, after commit",
    );
    assertEquals(
      (await app.send("GET", "/failing")).slice(0, 2),
      [
        422,
        "SAVEPOINT irori_1, insert, ROLLBACK TO SAVEPOINT irori_1, RELEASE SAVEPOINT irori_1, handle",
      ],
    );
  });
  assertEquals(manager.log.at(-1), "rollback");
});

Deno.test("@Transactional on a handler + rolls back what is not sent", async () => {
  await using app = await start(NoteController);
  assertEquals((await app.send("POST", "/notes", { id: 10 })).slice(0, 2), [
    500,
    "begin, insert 10, rollback, after rollback",
  ]);
  assertEquals((await app.send("GET", "/unrendered")).slice(0, 2), [500, "begin, rollback"]);
  assertEquals(await app.send("GET", "/failing"), [
    422,
    "begin, insert, rollback, handle",
    '{"message":"refused"}',
  ]);
});

Deno.test("@Transactional on a handler + answers a refused commit like an error of the handler", async () => {
  await using app = await start(NoteController);
  app.manager.failures.push(Object.assign(new Refused("at commit"), { code: "23505" }));
  assertEquals(await app.send("POST", "/notes", { id: 1 }), [
    422,
    "begin, insert 1, refused, after rollback, handle",
    '{"message":"at commit"}',
  ]);
  app.manager.failures.push(new Error("connection lost"));
  assertEquals((await app.send("POST", "/notes", { id: 1 })).slice(0, 2), [
    500,
    "begin, insert 1, refused",
  ]);
});

Deno.test("@Transactional on a handler + begins no transaction for a request that does not reach it", async () => {
  await using app = await start(NoteController);
  assertEquals((await app.send("POST", "/notes", { id: "1" })).slice(0, 2), [400, ""]);
  assertEquals((await app.send("OPTIONS", "/notes")).slice(0, 2), [204, ""]);
  assertEquals((await app.send("DELETE", "/notes")).slice(0, 2), [405, ""]);
  assertEquals((await app.send("HEAD", "/rendered")).slice(0, 2), [200, "begin, render, commit"]);
});

Deno.test("@Transactional on a handler + retries a refused commit, with what was bound", async () => {
  @RestController()
  class RetryController {
    private readonly manager = inject(TransactionManager) as RecordingManager;

    @PostMapping("/json", RequestBody(z.object({ id: z.number() })))
    @Transactional({ retry: 2 })
    async json({ id }: { id: number }, request: HttpRequest) {
      request.context.header("X-Try", `${this.manager.failures.length}`);
      current(this.manager)(`insert ${id}`);
      return await Promise.resolve({ id });
    }

    @PostMapping("/method", RequestBody(z.object({ id: z.number() })))
    @Transactional({ retry: 2 })
    async method({ id }: { id: number }) {
      current(this.manager)(`insert ${id}`);
      if (this.manager.log.length < 5) await Promise.reject(conflict());
      return { id };
    }

    @PostMapping("/stream", RequestBody("stream"))
    @Transactional({ retry: 2 })
    async stream(body: ReadableStream<Uint8Array>) {
      return (await new Response(body).text()).length;
    }
  }
  await using app = await start(RetryController);
  app.manager.failures.push(conflict(), conflict());
  const insert = "begin, insert 1, ";
  assertEquals(await app.send("POST", "/json", { id: 1 }), [
    200,
    `${insert}refused, ${insert}refused, ${insert}commit`,
    '{"id":1}',
  ]);
  app.manager.failures.push(conflict(), conflict(), conflict());
  assertEquals((await app.send("POST", "/json", { id: 1 })).slice(0, 2), [
    500,
    `${insert}refused, ${insert}refused, ${insert}refused`,
  ]);
  assertEquals(await app.send("POST", "/method", { id: 1 }), [
    200,
    `${insert}rollback, ${insert}commit`,
    '{"id":1}',
  ]);
  app.manager.failures.push(conflict());
  assertEquals((await app.send("POST", "/stream", { id: 1 })).slice(0, 2), [500, "begin, refused"]);
  // Attempts that were repeated are not logged.
  assertEquals(app.errors.length, 2);
});

Deno.test("@Transactional on a handler + is refused at startup for streams", async () => {
  const streams = (name: string) =>
    `Cannot apply @Transactional to '${name}': expected a method that gives a promise of a whole value, found a stream`;
  class Events {
    // deno-lint-ignore require-await -- as a stream of events
    async events() {
      return {};
    }
  }
  decorate(
    { Events },
    { events: [Transactional(), GetMapping({ path: "/e", produces: "text/event-stream" })] },
    RestController(),
  );
  await assertRejects(() => start(Events), Error, streams("events"));
  class Generated {
    async *generated() {
      yield await Promise.resolve(1);
    }
  }
  const apply = () => {
    const transactional = Transactional() as never;
    decorate({ Generated }, { generated: [transactional, GetMapping("/g")] }, RestController());
  };
  try {
    apply();
    throw new Error("expected a refusal");
  } catch (error) {
    assertEquals(error instanceof MappingError, true);
    assertStringIncludes(`${error}`, streams("generated"));
  }
});

Deno.test("@Transactional on a handler + rolls back streams and WebSockets that it returns", async () => {
  @RestController()
  class StreamController {
    @GetMapping("/{kind}", PathVariable("kind"))
    @Transactional()
    async stream(kind: string, request: HttpRequest): Promise<unknown> {
      const stream = new Blob(["text"]).stream();
      if (kind === "socket") return webSocket(request, {});
      if (kind === "entity") return ResponseEntity.ok().setBody(stream);
      return await Promise.resolve(kind === "stream" ? stream : (async function* () {})());
    }
  }
  await using app = await start(StreamController);
  for (const kind of ["stream", "entity", "generator"]) {
    assertEquals((await app.send("GET", `/${kind}`)).slice(0, 2), [500, "begin, rollback"], kind);
  }
  const response = await app.app.request("/socket", {
    headers: {
      ...{ Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": "13" },
      "Sec-WebSocket-Key": btoa("0123456789abcdef"),
    },
  });
  assertEquals(response.status, 500);
  assertEquals(app.manager.log.at(-1), "rollback");
});

Deno.test("@Transactional on a handler + shares its transaction with beans, binders and rules excepted", async () => {
  @Service()
  class Notes {
    private readonly manager = inject(TransactionManager) as RecordingManager;

    @Transactional()
    async insert(id: number) {
      await Promise.resolve(current(this.manager)(`insert ${id}`));
    }
  }
  @RestController()
  class Controller {
    @Autowired(Notes)
    private readonly notes!: Notes;

    @GetMapping("/", binder(async (_, beans) => await beans.get(Notes).insert(1)))
    @Use(async (_, next) => await next())
    @Transactional()
    async get(_: void) {
      await this.notes.insert(2);
      await this.more();
    }

    @Transactional()
    private async more() {
      await this.notes.insert(3);
    }
  }
  await using app = await start(Notes, Controller);
  assertEquals((await app.send("GET", "/")).slice(0, 2), [
    204,
    "begin, insert 1, commit, begin, insert 2, insert 3, commit",
  ]);
  // Called by other code it is a method like any other.
  app.manager.log.length = 0;
  await app.app.context.get(Controller).get();
  assertEquals(app.manager.log.join(", "), "begin, insert 2, insert 3, commit");
});

Deno.test("@Transactional on a handler + works by decorate(), inherited, and overridden", async () => {
  class Base {
    manager = inject(TransactionManager) as RecordingManager;
    async get(): Promise<{ toJSON(): string }> {
      current(this.manager)("get");
      return await Promise.resolve({ toJSON: () => (current(this.manager)("render"), "ok") });
    }
    async plain(): Promise<string> {
      return await Promise.resolve(current(this.manager)("base") ?? "ok");
    }
  }
  decorate({ Base }, {
    get: [GetMapping("/get"), Transactional()],
    plain: [Transactional(), GetMapping("/plain")],
  });
  class Derived extends Base {
    override async plain(): Promise<string> {
      return await Promise.resolve(current(this.manager)("derived") ?? "ok");
    }
  }
  decorate({ Derived }, { plain: [GetMapping("/plain")] }, RestController());
  await using app = await start(Derived as never);
  assertEquals((await app.send("GET", "/get")).slice(0, 2), [200, "begin, get, render, commit"]);
  assertEquals((await app.send("GET", "/plain")).slice(0, 2), [200, "outside: derived"]);
});

Deno.test("@Transactional on a handler + commits though the client disconnects", async () => {
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const committed = Promise.withResolvers<void>();
  @RestController()
  class SlowController {
    @PostMapping("/slow")
    @Transactional()
    async slow(request: HttpRequest) {
      afterCommit(committed.resolve);
      request.signal.addEventListener("abort", () => left.resolve());
      arrived.resolve();
      await left.promise;
      return { is: "done" };
    }
  }
  const manager = new RecordingManager();
  const app = await bootstrap({
    components: [SlowController],
    overrides: [[TransactionManager, manager]],
    config: { server: { port: 0, address: "127.0.0.1" } },
    extensions: [
      Object.assign(() => ({ info: () => {}, log: () => {} }), {
        beans: () => ({ instances: { manager } }),
      }),
    ],
  });
  const { url } = await app.listen();
  const leaving = new AbortController();
  const sent = fetch(`${url}/slow`, { method: "POST", signal: leaving.signal });
  await arrived.promise;
  leaving.abort();
  await assertRejects(() => sent);
  await committed.promise;
  assertEquals(manager.log, ["begin", "commit"]);
  await app.close();
});

Deno.test("@Transactional on a handler + sends no header of what was rolled back, and those of others", async () => {
  @RestController()
  @Use(cors())
  class CookieController {
    private readonly manager = inject(TransactionManager) as RecordingManager;

    @PostMapping("/{statement}", PathVariable("statement"))
    @Transactional({ retry: 1 })
    async add(statement: string, { context }: HttpRequest) {
      context.header("Set-Cookie", `before=${this.manager.log.length}`, { append: true });
      current(this.manager)(statement);
      if (this.manager.log.join() === "begin,fails") await Promise.reject(conflict());
      return {};
    }
  }
  await using app = await start(CookieController);
  const headers = async (statement: string) => {
    const { status, headers } = await app.app.request(`/${statement}`, { method: "POST" });
    return [status, headers.get("Access-Control-Allow-Origin"), headers.getSetCookie()];
  };
  assertEquals(await headers("fails"), [200, "*", ["before=4"]]);
  app.manager.failures.push(conflict());
  assertEquals(await headers("refused"), [200, "*", ["before=10"]]);
  app.manager.failures.push(conflict(), conflict());
  assertEquals(await headers("refused"), [500, "*", []]);
});

Deno.test("@Transactional on a handler + reads the parts of an upload once", async () => {
  @RestController()
  class UploadController {
    @PostMapping("/upload", MultipartStream())
    @Transactional({ retry: 1 })
    async upload(parts: AsyncIterable<{ body: AsyncIterable<Uint8Array> }>) {
      let size = 0;
      for await (const { body } of parts) for await (const bytes of body) size += bytes.length;
      return { size };
    }
  }
  await using app = await start(UploadController);
  const body = new FormData();
  body.append("file", new Blob(["12345"]), "name");
  const upload = async () => (await app.app.request("/upload", { method: "POST", body })).status;
  assertEquals(await upload(), 200);
  app.manager.failures.push(conflict());
  assertEquals(await upload(), 500);
  assertMatch(app.manager.log.join(), /^begin,commit,begin,refused$/);
});

Deno.test("afterCommit() in a handler + runs statements outside of the transaction", async () => {
  class Orders {
    readonly database = inject(TransactionManager);
    add(): Promise<string> {
      const run = (statement: string) =>
        (current(this.database) as (text: string) => void)(statement);
      run("inside");
      afterCommit(() => run("after the commit"));
      return Promise.resolve("done");
    }
  }
  decorate({ Orders }, { add: [Transactional(), PostMapping("/")] }, RestController());
  const { manager, send } = await start(Orders);
  await send("POST", "/");
  assertEquals(manager.log, ["begin", "inside", "commit", "outside: after the commit"]);
});
