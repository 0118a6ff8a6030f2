import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { z } from "zod";
import {
  binder,
  bootstrap,
  GetMapping,
  HttpError,
  HttpStatus,
  Model,
  PathVariable,
  PostMapping,
  Problem,
  PutMapping,
  RequestBody,
  RequestHeader,
  RequestParam,
  RestController,
} from "@irori/irori";
import { client, isProblem, ProblemError } from "@irori/irori/client";
import { contractModule, contractOf } from "@irori/irori/openapi";
import { Pageable } from "@irori/irori/paging";

class Order extends Model(
  z.object({
    sku: z.string(),
    count: z.int().default(1),
    size: z.string().transform(Number).optional(),
  }),
) {}
class OrderView extends Model(z.object({ sku: z.string(), count: z.int(), at: z.date() })) {}
class OutOfStock extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/out-of-stock",
  schema: z.object({ sku: z.string() }),
}) {}
const Caller = binder((request) => request.method);

@RestController()
class OrderController {
  @PostMapping(
    { path: "/orders", returns: OrderView, problems: [OutOfStock, HttpStatus.NOT_FOUND] },
    RequestBody(Order),
  )
  create(order: Order) {
    if (order.sku === "none") throw new OutOfStock({ sku: order.sku }, "None is left");
    if (order.sku === "gone") throw new HttpError(410);
    if (order.sku === "lost") throw new HttpError(404);
    return { sku: order.sku, count: order.count, at: new Date(order.size ?? 0) };
  }

  @GetMapping(
    { path: "/orders/{id}", returns: z.array(OrderView).optional() },
    PathVariable("id", "bigint"),
    Caller,
    RequestParam("since", "date-time"),
    RequestParam("kind", ["a", "b"], { list: true, required: false }),
    RequestParam("page", "int", { defaultValue: 1 }),
  )
  find(id: bigint, _caller: string, at: Date, _kind: ("a" | "b")[] | undefined, count: number) {
    return id === 0n ? undefined : [{ sku: String(id), count, at }];
  }

  @GetMapping("/plain")
  plain() {
    return { anything: true };
  }
}

// The output of `irori contract` for the controller: the test below compares it, and the compiler checks the calls of
// both.
type Wire = {
  readonly create: {
    readonly "~types"?: {
      arguments: { body: { sku: string; count?: number; size?: string } };
      result: { sku: string; count: number; at: string };
      problem: { type: "/problems/out-of-stock"; status: 409; sku: string } | {
        type: "about:blank";
        status: 404;
      };
    };
  };
};

Deno.test("client() + is typed by the contract, and isProblem() tells declared problems", async () => {
  const app = await bootstrap({ components: [OrderController] });
  const { OrderController: contract = {} } = contractOf(app.routeTable);
  const api = { OrderController: contract as typeof contract & Wire };
  const { order: orders } = client("http://localhost", api, {
    fetch: async (request) => await app.fetch(request),
  });
  const order = await orders.create({ body: { sku: "A", size: "5" } });
  assertEquals(order.at.slice(0, 4), "1970");
  assertEquals(order.count, 1);
  const failure = async (sku: string) => {
    try {
      return await orders.create({ body: { sku } });
    } catch (error) {
      return error;
    }
  };
  const none = await failure("none");
  assert(isProblem(orders.create, none));
  // Narrowed by the type of the problem.
  assertEquals(none.problem.type === "/problems/out-of-stock" && none.problem.sku, "none");
  assert(isProblem(orders.create, await failure("lost")));
  const gone = await failure("gone");
  assert(gone instanceof ProblemError);
  assertEquals(isProblem(orders.create, gone), false);
  assertEquals(isProblem(orders.create, new Error()), false);
});

Deno.test("contractModule() + is typed by what is on the wire", async () => {
  const app = await bootstrap({ components: [OrderController] });
  const text = contractModule(app.routeTable);
  assertStringIncludes(
    text,
    "arguments: { id: bigint | number; since: Date | string; " +
      'kind?: ("a" | "b")[]; page?: number }; result: OrderView[] | undefined; problem: never',
  );
  assertStringIncludes(text, "export type OrderView = { sku: string; count: number; at: string };");
  assertStringIncludes(text, "arguments: Record<string, never>; result: unknown; problem: never");
  await checked({
    "contract.ts": text,
    "use.ts": `import { client, isProblem } from ${JSON.stringify(CLIENT)};
import { contract } from "./contract.ts";
const { order: orders } = client("http://localhost", contract);
const { at }: { at: string } = await orders.create({ body: { sku: "A" } });
await orders.create({ body: { sku: "A", count: 2, size: "5" } }, { timeout: 1000 });
await orders.find({ id: 1, since: new Date(), kind: ["a"], page: 2 });
const found: { at: string }[] | undefined = await orders.find({ id: 1n, since: at });
const unknown: unknown = await orders.plain();
await orders.plain({}, { signal: AbortSignal.timeout(1000) });
const { headers, json } = await orders.find.response({ id: 1n, since: at });
headers.get("ETag") satisfies string | null;
(await json()) satisfies { at: string }[];
// @ts-expect-error what a transformation takes, not what it gives
await orders.create({ body: { sku: "A", size: 5 } });
// @ts-expect-error the schema asks for it
await orders.create({ body: { count: 2 } });
// @ts-expect-error none of the list
await orders.find({ id: 1, since: at, kind: ["c"] });
// @ts-expect-error not sent by a client
await orders.find({ id: 1, since: at, custom: 1 });
// @ts-expect-error required
await orders.find();
// @ts-expect-error not without its controller
client("http://localhost", contract.OrderController).create({ body: { sku: "A" } });
// @ts-expect-error no such method
await orders.remove();
try {
  console.log(found, unknown);
} catch (error) {
  if (!isProblem(orders.create, error)) throw error;
  // @ts-expect-error not of every problem
  console.log(error.problem.sku);
  if (error.problem.type === "/problems/out-of-stock") console.log(error.problem.sku.length);
  else console.log(error.problem.status satisfies 404);
}`,
  });
});

const named = (id: string) => z.object({ [id]: z.string() }).meta({ id });
class Record_ extends Model(z.object({ record: z.array(z.object({})) })) {}
Object.defineProperty(Record_, "name", { value: "Record" });

@RestController()
class NamesController {
  @GetMapping({ path: "/class", returns: named("class") })
  keyword() {
    return { class: "" };
  }
  @GetMapping({ path: "/dot", returns: named("a.b") })
  dot() {
    return { "a.b": "" };
  }
  @GetMapping({ path: "/line", returns: named("a_b") })
  line() {
    return { a_b: "" };
  }
  @GetMapping({ path: "/string", returns: named("string") })
  scalar() {
    return { string: "" };
  }
  @GetMapping({ path: "/own", returns: named("ContractTypes") })
  own() {
    return { ContractTypes: "" };
  }
  @GetMapping({ path: "/record", returns: Record_ })
  record() {
    return { record: [] };
  }
  @GetMapping({ path: "/sequence", returns: z.string(), produces: "application/json-seq" })
  sequence() {
    return "";
  }
  @GetMapping({ path: "/text", returns: z.string(), produces: "text/plain" })
  text() {
    return "";
  }
  @GetMapping("/arguments", RequestParam("default"), RequestParam("a-b"), RequestParam("a.b"))
  taken(_default: string, _a: string, _b: string) {}
}

Deno.test("contractModule() + gives each type a name that is free", async () => {
  const app = await bootstrap({ components: [NamesController] });
  const text = contractModule(app.routeTable);
  assertStringIncludes(text, '{ default: string; "a-b": string; "a.b": string }');
  await checked({
    "contract.ts": text,
    "use.ts": `import { client } from ${JSON.stringify(CLIENT)};
import { contract } from "./contract.ts";
const { names } = client("http://localhost", contract);
(await names.keyword()) satisfies { class: string };
(await names.dot()) satisfies { "a.b": string };
(await names.line()) satisfies { a_b: string };
(await names.scalar()) satisfies { string: string };
(await names.own()) satisfies { ContractTypes: string };
(await names.text()) satisfies string;
// A sequence of JSON texts is no JSON.
(await names.sequence()) satisfies Response;
(await names.record()) satisfies { record: Record<string, never>[] };
`,
  });
});

@RestController()
class AnswersController {
  @PostMapping({ path: "/none", status: HttpStatus.NO_CONTENT })
  none() {}

  @PostMapping({ path: "/reset", status: HttpStatus.RESET_CONTENT, produces: "text/csv" })
  reset() {}

  @GetMapping("/events")
  async *events() {
    yield { n: await Promise.resolve(1) };
  }

  @GetMapping({ path: "/feed", produces: "text/event-stream;charset=utf-8" })
  feed() {
    return new Blob(["data: 1\n\n"]).stream();
  }

  @GetMapping({ path: "/export.csv", produces: "text/csv; charset=utf-8" })
  *csv() {
    yield "a;1\n";
  }

  @GetMapping({ path: "/archive", produces: "application/zip" })
  archive() {
    return new Blob(["PK"]).stream();
  }

  @GetMapping({ path: "/drawing", produces: "image/svg+xml" })
  drawing() {
    return "<svg/>";
  }

  @GetMapping({ path: "/xml", produces: "application/atom+xml" })
  xml() {
    return "<feed/>";
  }

  @GetMapping({ path: "/either", produces: ["text/csv", "application/zip"] })
  either() {
    return "a;1\n";
  }

  @GetMapping({ path: "/json", produces: "application/json" })
  *json() {
    yield "[]";
  }

  @GetMapping({ path: "/response", returns: named("Response") })
  response() {
    return { Response: "" };
  }
}

/** For each operation, its type and the value that arrives. */
const ARRIVES: Readonly<Record<keyof AnswersController, [type: string, value: unknown]>> = {
  none: ["undefined", undefined],
  reset: ["undefined", undefined],
  events: ["Response", 'data: {"n":1}\n\n'],
  feed: ["Response", "data: 1\n\n"],
  csv: ["string", "a;1\n"],
  archive: ["Response", "PK"],
  drawing: ["Response", "<svg/>"],
  xml: ["string", "<feed/>"],
  either: ["string | Response", "a;1\n"],
  json: ["unknown", []],
  response: ["Response_2", { Response: "" }],
};

Deno.test("contractModule() + types answers without a body, texts and streams as they arrive", async () => {
  const app = await bootstrap({ components: [AnswersController] });
  const text = contractModule(app.routeTable);
  const types = text.matchAll(/readonly (\w+): \{ readonly "~types".*; result: (.*?); problem/g);
  assertEquals(
    Object.fromEntries([...types].map(([, name, type]) => [name, type])),
    Object.fromEntries(Object.entries(ARRIVES).map(([name, [type]]) => [name, type])),
  );
  await checked({
    "contract.ts": text,
    "use.ts": `import { client } from ${JSON.stringify(CLIENT)};
import { contract } from "./contract.ts";
const { answers } = client("http://localhost", contract);
(await answers.none()) satisfies undefined;
for await (const { data } of answers.events()) data satisfies string;
(await answers.events.response()) satisfies Response;
(await answers.csv()).split(";");
// @ts-expect-error the module's own type of this name
(await answers.response()) satisfies Response;
`,
  });
});

Deno.test("client() + gives answers as contractModule() types them", async () => {
  const app = await bootstrap({ components: [AnswersController] });
  const { AnswersController: contract = {} } = contractOf(app.routeTable);
  const { answers } = client("http://localhost", { AnswersController: contract }, {
    fetch: async (request) => await app.fetch(request),
  });
  for (const [name, [type, expected]] of Object.entries(ARRIVES)) {
    const { events } = contract[name]!;
    const value = await (events ? answers[name]!.response() : answers[name]!());
    assertEquals([name, value instanceof Response], [name, type === "Response"]);
    assertEquals(value instanceof Response ? await value.text() : value, expected, name);
  }
});

@RestController()
class ThingsController {
  @PutMapping(
    { path: "/things/{id}/{page}", consumes: "application/merge-patch+json" },
    PathVariable("id", "int"),
    PathVariable("page", "int"),
    RequestParam("id", "int"),
    RequestHeader("X-Flag", "boolean", { required: false }),
    RequestBody(z.record(z.string(), z.int())),
    Caller,
    Pageable(),
  )
  put(
    ...[id, page, other, flag, body, caller, pageable]: [
      number,
      number,
      number,
      boolean | undefined,
      Record<string, number>,
      string,
      Pageable<never>,
    ]
  ) {
    return [id, page, other, flag, body, caller, pageable.page, pageable.size];
  }

  @GetMapping("/things", RequestParam(z.object({ a: z.string(), b: z.string().optional() })))
  find(query: { a: string; b?: string | undefined }) {
    return query;
  }

  @PostMapping({ path: "/things", consumes: "text/csv" }, RequestBody("text"))
  csv(text: string) {
    return text.length;
  }
}

@RestController()
class KeyController {
  @PostMapping("/keys", RequestHeader("idempotency-key"), RequestParam("Idempotency-Key"))
  create(header: string, query: string) {
    return [header, query];
  }
}

Deno.test("contractModule() + asks for no header that the client sends by itself", async () => {
  const app = await bootstrap({ components: [KeyController] });
  const expected = 'arguments: { "idempotency-key"?: string; "Idempotency-Key": string };';
  assertStringIncludes(contractModule(app.routeTable), expected);
});

Deno.test("client() + takes arguments by their names, and sends none of the server's", async () => {
  const app = await bootstrap({ components: [ThingsController] });
  const text = contractModule(app.routeTable);
  const expected = [
    'id: number; page_2: number; id_2: number; "X-Flag"?: boolean; body: { [key: string]: number }; ' +
    "page?: number; size?: number",
    "a: string; b?: string",
    "body: string",
  ];
  for (const one of expected) assertStringIncludes(text, `arguments: { ${one} };`);
  const { things } = client("http://localhost", contractOf(app.routeTable), {
    fetch: async (request) => await app.fetch(request),
  });
  const args = { id: 1, page_2: 2, id_2: 3, "X-Flag": true, body: { a: 4 }, page: 5, custom: 6 };
  assertEquals(await things!.put!(args), [1, 2, 3, true, { a: 4 }, "PUT", 5, 20]);
  assertEquals(await things!.find!({ a: "1", b: undefined, c: "2" }), { a: "1" });
  assertEquals(await things!.csv!({ body: "1;2" }), 3);
  // Another type is a matter of the call.
  const headers = { "Content-Type": "text/plain" };
  const error = await assertRejects(() => Promise.resolve(things!.csv!({ body: "" }, { headers })));
  assert(error instanceof ProblemError && error.status === 415);
});

Deno.test("contractModule() + keeps the keys of dictionaries", async () => {
  const keys = z.enum(["a", "b"]).meta({ id: "Key" });
  const counts = z.object({
    some: z.partialRecord(z.enum(["a", "b"]), z.int()),
    all: z.record(keys, z.int()),
    any: z.record(z.string(), z.int()),
  });
  @RestController()
  class CountsController {
    @PostMapping("/counts", RequestBody(counts))
    add(_counts: z.infer<typeof counts>) {}
  }
  const app = await bootstrap({ components: [CountsController] });
  const expected = 'body: { some: { [key in "a" | "b"]?: number }; ' +
    "all: { [key in Key]: number }; any: { [key: string]: number } }";
  assertStringIncludes(contractModule(app.routeTable), expected);
});

Deno.test("client() + names a controller by its class", () => {
  const operations = { get: { method: "GET", path: "/", parameters: [] } };
  const namesOf = (...names: string[]) =>
    Object.keys(client("", Object.fromEntries(names.map((name) => [name, operations]))));
  const names = namesOf("OrderController", "Orders", "Controller", "ConstructorController");
  assertEquals(names, ["order", "orders", "controller", "constructor"]);
  assertThrows(
    () => namesOf("Order", "OrderController"),
    TypeError,
    "Cannot create the client: two controllers have the name 'order'",
  );
  const api = client("", { OrderController: operations, Controller: operations, B: operations });
  assertEquals(
    [api.order, api.controller, api.b].map((one) => typeof one.get),
    Array(3).fill("function"),
  );
});

const CLIENT = new URL("../../../src/features/client/mod.ts", import.meta.url).href;

/** Type checks files beside each other. */
async function checked(files: { readonly "use.ts": string; readonly [name: string]: string }) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const config = new URL("../../../deno.json", import.meta.url);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", config.pathname, `${folder}/use.ts`],
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("client() + names of Object.prototype are names like others", async () => {
  const query = RequestParam("constructor", { required: false });

  @RestController()
  class NameController {
    @GetMapping({ path: "/names", returns: z.string() }, query)
    toString(value = "none") {
      return value;
    }
  }
  await using app = await bootstrap({ components: [NameController] });
  const contract = contractOf(app.routeTable);
  const fetch = async (request: Request) => await app.fetch(request);
  const { name } = client("http://localhost", contract, { fetch }) as unknown as {
    name: { toString(args: object): Promise<string> };
  };
  assertEquals(await name.toString({}), "none");
  assertEquals(await name.toString({ constructor: "some" }), "some");
});
