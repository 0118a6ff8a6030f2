/** The cases of draft-ietf-httpapi-idempotency-key-header, on each database. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  Bean,
  bootstrap,
  Configuration,
  decorate,
  GetMapping,
  HttpError,
  HttpStatus,
  inject,
  PostMapping,
  RequestBody,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";
import {
  idempotency,
  type IdempotencyOptions,
  Idempotent,
} from "../../../src/features/idempotency/mod.ts";
import { IDEMPOTENCY_SCHEMA, KEYS } from "../../../src/features/idempotency/keys_table.ts";
import { apiKey, basic, PreAuthorize, security } from "../../../src/features/security/mod.ts";
import {
  rollbackAfter,
  Transactional,
  TransactionError,
  TransactionManager,
} from "../../../src/features/transactions/mod.ts";
import { OwnTable } from "../../../src/features/transactions/own_tables.ts";
import { MappingError } from "../../../src/web/mod.ts";
import { contractModule } from "../../../src/features/contract/mod.ts";
import { openApiDocument } from "../../../src/features/openapi/mod.ts";
import { verify } from "../../../src/features/testing/mod.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import * as z from "zod";
import { KINDS, type TestDatabase } from "../transactions/databases.ts";

let database: TestDatabase;
/** A request waits for it after its effect. */
let hold: Promise<void> | undefined;
let count = 0;

@RestController()
class NoteController {
  @Idempotent()
  @PostMapping({ path: "/notes", status: HttpStatus.CREATED }, RequestBody())
  async add(note: unknown): Promise<unknown> {
    const id = ++count;
    await new Table().insert(id);
    await hold;
    const { kind } = note as { kind?: string };
    if (kind === "thrown") throw new HttpError(418, "no");
    if (kind === "conflict") return ResponseEntity.status(HttpStatus.CONFLICT).withJson({ id });
    if (kind === "large") return "x".repeat(2000);
    if (kind === "empty") return ResponseEntity.noContent();
    return ResponseEntity.created(`/notes/${id}`).withHeader("Set-Cookie", "a=b").withHeader(
      "X-Id",
      `${id}`,
    )
      .withJson({ id, text: "ä€" });
  }

  @Idempotent({ retry: 1 })
  @PostMapping("/repeated")
  async repeated(): Promise<unknown> {
    await new Table().insert(++count);
    return { count };
  }

  @Idempotent({ isolation: "repeatable read" })
  @PostMapping("/isolated")
  async isolated(): Promise<unknown> {
    await new Table().insert(++count);
    return { count };
  }

  @Idempotent()
  @PreAuthorize((user) => user.name !== "eve")
  @PostMapping("/guarded")
  async guarded(): Promise<unknown> {
    await new Table().insert(++count);
    return { count };
  }
}

/** The notes, by the code under test. */
class Table {
  insert(id: number): Promise<unknown> {
    const use = { feature: "notes", table: "notes", columns: "id", schema: "notes" };
    return new OwnTable(database.manager, use).query("INSERT INTO notes (id) VALUES (?)", id);
  }
}

@Configuration()
class Connections {
  @Bean({ type: TransactionManager, destroy: false })
  transactions(): TransactionManager {
    return database.manager as TransactionManager;
  }
}

const users = ["ada", "bob", "eve"].map((name) => ({ name, password: name[0]! }));
const OTHER_ADA = { key: "the-key-of-another-ada", name: "ada" };
const USERS = security({
  schemes: { basic: basic({ users }), apiKey: apiKey({ keys: [OTHER_ADA] }) },
});

function application(options?: IdempotencyOptions, extensions = [idempotency(options)]) {
  return bootstrap({
    components: [Connections, NoteController],
    extensions: [...extensions, USERS],
  });
}
type App = Awaited<ReturnType<typeof application>>;

interface Sent {
  readonly key?: string | null;
  /** `undefined`: the other Ada. */
  readonly user?: string | undefined;
  readonly body?: unknown;
  readonly path?: string;
}

async function send(
  app: App,
  { key = '"k-1"', body = {}, path = "/notes", ...sent }: Sent = {},
) {
  const headers = new Headers({
    "Content-Type": "application/json",
  });
  const { user } = { user: "ada", ...sent };
  if (user === undefined) headers.set("X-API-Key", OTHER_ADA.key);
  else headers.set("Authorization", `Basic ${btoa(`${user}:${user[0]}`)}`);
  if (key !== null) headers.set("Idempotency-Key", key);
  const response = await app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
  const replayed = response.headers.get("Idempotency-Replayed");
  return {
    status: response.status,
    replayed,
    headers: response.headers,
    text: await response.text(),
  };
}

const notes = async () => (await database.outside("SELECT id FROM notes")).length;

for (const kind of KINDS) {
  const { name, skip } = kind;
  const test = (behaviour: string, fn: () => Promise<void>) =>
    Deno.test({
      name: `@Idempotent + ${behaviour}: ${name}`,
      ignore: skip !== undefined,
      async fn() {
        database = await kind.create({ size: 8 });
        hold = undefined;
        count = 0;
        await database.run(`DROP TABLE IF EXISTS ${KEYS}`);
        for (const sql of IDEMPOTENCY_SCHEMA[database.manager.dialect!].split(/;\n/)) {
          if (sql.trim()) await database.run(sql);
        }
        try {
          await fn();
        } finally {
          await database.run(`DROP TABLE ${KEYS}`);
          await database[Symbol.asyncDispose]();
        }
      },
    });

  test("the same request gets the stored response, without another effect", async () => {
    await using app = await application();
    const [first, second] = [await send(app), await send(app)];
    assertEquals([first.status, first.replayed, first.text], [201, null, '{"id":1,"text":"ä€"}']);
    assertEquals([second.status, second.replayed, second.text], [201, "true", first.text]);
    const length = `${new TextEncoder().encode(first.text).length}`;
    assertEquals(second.headers.get("content-length"), length);
    for (const header of ["location", "x-id", "content-type", "cache-control"]) {
      assertEquals(second.headers.get(header), first.headers.get(header), header);
    }
    assertEquals([first.headers.get("set-cookie"), second.headers.get("set-cookie")], [
      "a=b",
      null,
    ]);
    assertEquals((await send(app, { key: "k-1" })).replayed, "true");
    assertEquals(await notes(), 1);
  });

  test("a missing and a malformed key get 400, another payload 422", async () => {
    await using app = await application();
    for (const key of [null, '""', '"a', "a b", "x".repeat(300)]) {
      const { status, text } = await send(app, { key });
      assertEquals(status, 400, `${key}`);
      assertStringIncludes(text, "Idempotency-Key");
    }
    await send(app);
    assertEquals((await send(app, { body: { other: true } })).status, 422);
    assertEquals((await send(app, { path: "/notes?a=b" })).status, 422);
    assertEquals((await send(app)).replayed, "true");
    assertEquals(await notes(), 1);
  });

  test("a key belongs to a user and an operation", async () => {
    await using app = await application();
    await send(app);
    assertEquals([(await send(app, { user: "bob" })).replayed, await notes()], [null, 2]);
    assertEquals([(await send(app, { user: undefined })).replayed, await notes()], [null, 3]);
    assertEquals((await send(app, { path: "/guarded" })).replayed, null);
    assertEquals((await send(app, { path: "/guarded" })).replayed, "true");
    assertEquals((await send(app, { path: "/guarded", user: "eve" })).status, 403);
    assertEquals((await send(app, { user: "unknown" })).status, 401);
    assertEquals(await notes(), 4);
  });

  test("returned problems are stored, thrown errors are rolled back and are not", async () => {
    await using app = await application({ maxResponseSize: 1000 });
    const conflict = { body: { kind: "conflict" } };
    assertEquals([(await send(app, conflict)).status, (await send(app, conflict)).replayed], [
      409,
      "true",
    ]);
    assertEquals(await notes(), 1);
    const thrown = { key: "k-2", body: { kind: "thrown" } };
    const found = [await send(app, thrown), await send(app, thrown)];
    assertEquals(found.map(({ status, replayed }) => [status, replayed]), [[418, null], [
      418,
      null,
    ]]);
    assertEquals((await send(app, { key: "k-2" })).status, 201);
    assertEquals(await notes(), 2);
    const empty = { key: "k-3", body: { kind: "empty" } };
    assertEquals([(await send(app, empty)).status, (await send(app, empty)).status], [204, 204]);
  });

  test("a response above the limit fails and has no effect", async () => {
    const error = console.error;
    console.error = () => {};
    try {
      await using app = await application({ maxResponseSize: 1000 });
      assertEquals((await send(app, { body: { kind: "large" } })).status, 500);
      assertEquals(await notes(), 0);
    } finally {
      console.error = error;
    }
  });

  test("requests at the same time have one effect and one answer", async () => {
    await using app = await application();
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    let answered = 0;
    const sent = Array.from({ length: 6 }, async () => {
      const answer = await send(app);
      if (++answered === 5) resolve();
      return answer;
    });
    if (!kind.hasPool) setTimeout(resolve, 200);
    const found = await Promise.all(sent);
    const statuses = found.map(({ status }) => status).sort();
    // A pool answers the others at once; with one connection they wait.
    assertEquals(statuses, kind.hasPool ? [201, 409, 409, 409, 409, 409] : Array(6).fill(201));
    for (const { status, headers } of found) {
      if (status === 409) assertEquals(headers.get("retry-after"), "1");
    }
    assertEquals((await send(app)).text, found.find(({ status }) => status === 201)!.text);
    assertEquals(await notes(), 1);
  });

  test("a transaction that fails when the response is stored runs again", async () => {
    await using app = await application();
    const { manager } = database;
    const query = manager.query!.bind(manager);
    let failures = 1;
    manager.query = (connection: never, sql, values) => {
      if (sql.startsWith(`INSERT INTO ${KEYS}`) && failures-- > 0) {
        return Promise.reject(Object.assign(new Error("conflict"), { code: "40001" }));
      }
      return query(connection, sql, values);
    };
    const sent = { path: "/repeated" };
    assertEquals([(await send(app, sent)).status, (await send(app, sent)).replayed], [200, "true"]);
    assertEquals([await notes(), failures], [1, -1]);
  });

  if (name === "PostgreSQL") {
    test("a request whose snapshot is older than the stored response", async () => {
      await using app = await application();
      const { manager } = database;
      const query = manager.query!.bind(manager);
      const sent = { path: "/isolated" };
      const outside = AsyncLocalStorage.snapshot();
      let isFirst: boolean;
      manager.query = async (connection: never, sql, values) => {
        if (isFirst && sql.includes("pg_try_advisory_xact_lock")) {
          isFirst = false;
          await query(connection, "SELECT 1", []);
          await outside(send, app, sent);
        }
        return await query(connection, sql, values);
      };
      for (const effects of [1, 2]) {
        isFirst = true;
        const second = await send(app, sent);
        assertEquals([second.status, second.headers.get("retry-after")], [409, "1"]);
        assertEquals([(await send(app, sent)).replayed, await notes()], ["true", effects]);
        await database.run(`UPDATE ${KEYS} SET expires = 0`); // The next request replaces the row.
      }
    });

    test("a response that was stored meanwhile without the lock", async () => {
      await using app = await application();
      const { manager } = database;
      const query = manager.query!.bind(manager);
      const outside = AsyncLocalStorage.snapshot();
      manager.query = async (connection: never, sql, values) => {
        if (sql.startsWith(`INSERT INTO ${KEYS}`)) {
          await outside(() => manager.run({}, (other) => query(other, sql, values)));
        }
        return await query(connection, sql, values);
      };
      assertEquals([(await send(app)).status, await notes()], [409, 0]);
    });
  }

  test("works in rollbackAfter()", async () => {
    await using app = await application();
    await rollbackAfter(database.manager, async () => {
      assertEquals((await send(app)).status, 201);
      assertEquals((await send(app)).replayed, "true");
      assertEquals((await send(app, { key: "k-2", body: { kind: "thrown" } })).status, 418);
    });
    assertEquals([await notes(), (await database.run(`SELECT id FROM ${KEYS}`)).length], [0, 0]);
  });

  test("an expired key starts again, and expired rows are deleted", async () => {
    await using app = await application();
    await send(app);
    await database.run(`UPDATE ${KEYS} SET expires = 1`);
    assertEquals([(await send(app)).replayed, (await send(app)).replayed], [null, "true"]);
    assertEquals(await notes(), 2);
    await database.run(`UPDATE ${KEYS} SET expires = 1`);
    await using other = await application();
    await send(other, { key: "k-2" });
    assertEquals((await database.run(`SELECT id FROM ${KEYS}`)).length, 1);
  });
}

Deno.test("@Idempotent + is refused at startup without its extension, a database or its table", async () => {
  database = await KINDS[2]!.create();
  const refused = async (start: () => Promise<unknown>, message: string) => {
    const error = await assertRejects(start) as Error;
    assertStringIncludes(error.message, message);
  };
  await refused(
    () => application({}, []),
    "it comes with idempotency() of '@irori/irori/idempotency'",
  );
  await refused(() => application(), "write its migration with 'irori new idempotency-schema'");
  await refused(
    () => bootstrap({ components: [NoteController], extensions: [idempotency(), USERS] }),
    "Cannot use @Idempotent without a database",
  );
  await database[Symbol.asyncDispose]();
});

Deno.test("@Idempotent + is refused for what it cannot wrap", () => {
  class Controller {
    async all(): Promise<void> {}
    async *stream(): AsyncGenerator<string> {}
  }
  const refused = (decorators: readonly unknown[], message: string, name = "all") =>
    assertThrows(
      () => decorate({ Controller }, { [name]: decorators } as never, RestController()),
      MappingError,
      message,
    );
  refused(
    [PostMapping("/"), Idempotent()],
    "expected a mapping such as @PostMapping below it, found none",
  );
  refused([Idempotent(), GetMapping("/")], "expected a mapping of POST or PATCH, found GET");
  refused([Idempotent(), PostMapping("/")], "found a stream", "stream");
  const wrong = (options: object, message: string) =>
    assertThrows(() => Idempotent(options), TransactionError, message);
  wrong({ isolation: "serializable; drop table x" }, "Cannot use 'isolation' of a transaction");
  wrong({ timeout: -1 }, "Cannot use 'timeout' of a transaction");
  wrong({ propagation: "nested" }, "@Idempotent: Unknown option 'propagation'");
});

Deno.test("@Idempotent + is refused inside of @Transactional, and for the stream of a body", async () => {
  database = await KINDS[2]!.create();
  await database.run(IDEMPOTENCY_SCHEMA.sqlite.split(/;\n/)[0]!);
  class Controller {
    readonly database = inject(TransactionManager);
    add(): Promise<string> {
      return Promise.resolve("done");
    }
    read(body: ReadableStream<Uint8Array>): Promise<string> {
      return new Response(body).text();
    }
  }
  decorate(
    { Controller },
    {
      add: [Transactional(), Idempotent(), PostMapping("/")],
      read: [Idempotent(), PostMapping("/stream", RequestBody("stream"))],
    },
    RestController(),
  );
  const error = console.error;
  const logged: unknown[] = [];
  console.error = (...parts: unknown[]) => void logged.push(...parts);
  try {
    await using app = await bootstrap({
      components: [Connections, Controller],
      extensions: [idempotency()],
    });
    for (
      const [path, message] of [
        ["/", "it begins one itself; remove @Transactional"],
        ["/stream", "its body is read as a stream; read it as a whole"],
      ] as const
    ) {
      const headers = {
        "Idempotency-Key": "a",
        "Content-Type": "application/octet-stream",
        "Content-Length": "4",
      };
      const init = { method: "POST", headers, body: "body" };
      assertEquals((await app.request(path, init)).status, 500);
      assert(logged.some((part) => `${part}`.includes(message)), path);
    }
  } finally {
    console.error = error;
    await database[Symbol.asyncDispose]();
  }
});

Deno.test("@Idempotent + a call by other code runs the method", async () => {
  class Controller {
    add(name: string): Promise<string> {
      return Promise.resolve(name);
    }
  }
  decorate(
    { Controller },
    { add: [Idempotent(), PostMapping("/", RequestBody())] } as never,
    RestController(),
  );
  assertEquals(await new Controller().add("Ada"), "Ada");
});

/** An application on SQLite in memory with its table. */
async function withTable(): Promise<App> {
  database = await KINDS[2]!.create();
  for (const sql of IDEMPOTENCY_SCHEMA.sqlite.split(/;\n/)) if (sql.trim()) await database.run(sql);
  hold = undefined;
  return await application();
}

Deno.test("@Idempotent + is in the OpenAPI document and in the contract", async () => {
  await using app = await withTable();
  const { paths } = openApiDocument(app.routeTable, {
    title: "Notes",
    version: "1",
  }) as unknown as {
    paths: Record<string, { post: { parameters: unknown[]; responses: Record<string, unknown> } }>;
  };
  const { parameters, responses } = paths["/notes"]!.post;
  assertEquals(parameters, [{
    name: "Idempotency-Key",
    in: "header",
    required: true,
    schema: { type: "string", pattern: '^("[ !#-\\[\\]-~]+"|[!#-~]+)$', maxLength: 255 },
  }]);
  for (const status of [400, 409, 422]) assert(status in responses, `${status}`);
  const types = contractModule(app.routeTable);
  assertStringIncludes(types, '"Idempotency-Key"?: string');
  await database[Symbol.asyncDispose]();
});

Deno.test("verify() + sends keys to handlers with @Idempotent", async () => {
  database = await KINDS[2]!.create();
  for (const sql of IDEMPOTENCY_SCHEMA.sqlite.split(/;\n/)) if (sql.trim()) await database.run(sql);
  class Payments {
    pay({ amount }: { amount: number }): Promise<{ amount: number }> {
      return Promise.resolve({ amount });
    }
  }
  const Payment = z.object({ amount: z.int() });
  decorate(
    { Payments },
    {
      pay: [
        Idempotent(),
        PostMapping({ path: "/payments", returns: Payment }, RequestBody(Payment)),
      ],
    },
    RestController(),
  );
  await using app = await bootstrap({
    components: [Connections, Payments],
    extensions: [idempotency()],
  });
  const { requests } = await verify(app, { seed: 1 });
  assert(requests > 10, `${requests}`);
  const rows = await database.run(`SELECT id FROM ${KEYS}`);
  assert(rows.length > 0);
  await database[Symbol.asyncDispose]();
});
