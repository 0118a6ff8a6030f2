import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import * as z from "zod";
import {
  bootstrap,
  CookieValue,
  FormParam,
  GetMapping,
  HttpError,
  PathVariable,
  PostMapping,
  RequestHeader,
  RequestParam,
  RequestPart,
  RestController,
} from "@irori/irori";
import {
  type Client,
  client,
  isProblem,
  type ParameterContract,
  ProblemError,
} from "@irori/irori/client";
import { contractOf } from "@irori/irori/openapi";
import type { UserController } from "../../../examples/users/controllers/user_controller.ts";
import { startUsers } from "../openapi/users.ts";

Deno.test("client() + calls the six operations of the users example", async () => {
  await using started = await startUsers();
  const { UserController: contract = {} } = contractOf(started.app.routeTable);
  const users = client<UserController>(started.url, contract);

  const names = (await users.list()).data.map(({ name }) => name);
  assertEquals(names, ["Ada Lovelace", "Alan Turing"]);
  assertEquals((await users.get(1)).data.email, "ada@example.com");
  assertEquals((await users.search("alan@example.com")).data.id, 2);
  const grace = { name: "Grace Hopper", email: "grace@example.com" };
  assertEquals(await users.create(grace), {
    success: true,
    data: { ...grace, id: 3 },
    message: "User created successfully",
  });
  const changed = await users.update(3, { ...grace, name: "Grace B. M. Hopper" });
  assertEquals(changed.data.name, "Grace B. M. Hopper");
  assertEquals((await users.delete(3)).success, true);

  const error = await assertRejects(() => users.get(3), ProblemError);
  assertEquals([error.status, error.body], [
    404,
    { success: false, message: "User 3 was not found" },
  ]);
  assertEquals(error.message, "GET /users/{id} was answered with 404 Not Found");
});

@RestController()
class EchoController {
  @GetMapping(
    "/echo/{id}/{name:[^/]+}",
    PathVariable("id", "bigint"),
    PathVariable("name"),
    RequestParam("at", "date-time"),
    RequestParam("tags", { list: true }),
    RequestHeader("X-Flag", "boolean"),
    CookieValue("theme", { required: false }),
  )
  all(id: bigint, name: string, at: Date, tags: string[], flag: boolean, theme?: string) {
    return { id: String(id), name, at, tags, flag, theme };
  }

  @GetMapping("/files/{*path}", PathVariable("path"))
  file(path: string) {
    return path;
  }

  @PostMapping("/form", FormParam("a", "int"), FormParam("b", { list: true }))
  form(a: number, b: string[]) {
    return { a, b };
  }

  @PostMapping("/upload", RequestPart("file"), FormParam("title"))
  async upload(file: File, title: string) {
    return { title, size: file.size, text: await file.text() };
  }

  @GetMapping("/gone")
  gone(): void {
    throw new HttpError(410, "It was deleted");
  }

  @GetMapping("/nothing")
  nothing() {}

  @GetMapping("/text")
  text() {
    return "Hello";
  }

  @GetMapping("/ticks")
  async *ticks() {
    yield 1;
    yield await Promise.resolve(2);
  }

  @GetMapping("/bytes")
  bytes() {
    return new Uint8Array([1, 2, 3]);
  }
}

Deno.test("client() + sends each parameter where its binder reads it", async () => {
  await using app = await bootstrap({ components: [EchoController] });
  const { EchoController: contract = {} } = contractOf(app.routeTable);
  const echo = client<EchoController>("http://localhost", contract, {
    fetch: async (request) => await app.fetch(request),
  });
  const at = new Date(0);
  assertEquals(await echo.all(10n ** 20n, "a b&c?ü", at, ["x", "y&z"], true, "dark"), {
    id: "100000000000000000000",
    name: "a b&c?ü",
    at: "1970-01-01T00:00:00.000Z",
    tags: ["x", "y&z"],
    flag: true,
    theme: "dark",
  });
  assertEquals("theme" in await echo.all(1n, "n", at, ["x", "y"], false), false);
  assertEquals(await echo.file("a/b c.txt"), "/a/b c.txt");
  assertEquals(await echo.form(1, ["x", "y"]), { a: 1, b: ["x", "y"] });
  assertEquals(await echo.upload(new File(["four"], "f.txt"), "A file"), {
    title: "A file",
    size: 4,
    text: "four",
  });
  assertEquals(await echo.nothing(), undefined);
  assertEquals(await echo.text(), "Hello");
});

Deno.test("client() + sends lists of one, with commas, which the server takes", async () => {
  const Tags = z.object({ tag: z.array(z.string()), page: z.coerce.number().default(1) });
  @RestController()
  class TagController {
    @GetMapping("/schema", RequestParam(Tags))
    schema(query: z.infer<typeof Tags>) {
      return query;
    }
    @GetMapping("/names", RequestParam("tag", "string", { list: true }))
    names(tag: string[]) {
      return { tag };
    }
    @PostMapping("/form", FormParam(Tags))
    form(form: z.infer<typeof Tags>) {
      return form;
    }
    @PostMapping("/field", FormParam("tag", { list: true }))
    field(tag: string[]) {
      return { tag };
    }
  }
  await using app = await bootstrap({ components: [TagController] });
  const { tag: api } = client("http://a", contractOf(app.routeTable), {
    fetch: async (request) => await app.fetch(request),
  });
  for (const tag of [["a"], ["a,b"], ["a", "b,c"]]) {
    assertEquals(await api!.schema!({ tag }), { tag, page: 1 });
    assertEquals(await api!.names!({ tag }), { tag });
    assertEquals(await api!.form!({ form: { tag } }), { tag, page: 1 });
    assertEquals(await api!.field!({ tag }), { tag });
  }
});

Deno.test("client() + hands streams and bytes over unread", async () => {
  await using app = await bootstrap({ components: [EchoController] });
  const { EchoController: contract = {} } = contractOf(app.routeTable);
  const echo = client<EchoController>("http://localhost", contract, {
    fetch: async (request) => await app.fetch(request),
  });
  const ticks = await echo.ticks();
  assertEquals(ticks.headers.get("content-type"), "text/event-stream");
  assertEquals(await ticks.text(), "data: 1\n\ndata: 2\n\n");
  const bytes = await echo.bytes();
  assertEquals(await bytes.bytes(), new Uint8Array([1, 2, 3]));
});

Deno.test("client() + rejects with the problem that was answered", async () => {
  await using app = await bootstrap({ components: [EchoController] });
  const { EchoController: contract = {} } = contractOf(app.routeTable);
  const echo = client<EchoController>("http://localhost/", contract, {
    fetch: async (request) => await app.fetch(request),
  });
  const error = await assertRejects(() => echo.gone(), ProblemError);
  assertEquals(error.problem, {
    type: "about:blank",
    title: "Gone",
    status: 410,
    detail: "It was deleted",
    instance: "/gone",
  });
  assertInstanceOf(error.response, Response);
  assertEquals(error.message, "GET /gone was answered with 410 Gone: It was deleted");
});

/** Compiled only. */
export async function types(users: Client<UserController>): Promise<void> {
  // @ts-expect-error: a number
  await users.get("1");
  // @ts-expect-error: an email is missing
  await users.create({ name: "Ada" });
  // @ts-expect-error: dates arrive as texts
  const at: Date = (await client<EchoController>("", {}).all(1n, "", new Date(), [], true)).at;
  void at;
}

Deno.test("client + refuses values that would stand for another path, or be parted", async () => {
  const sent: string[] = [];
  const files = client(
    "http://a",
    {
      one: { method: "GET", path: "/one/{id}", parameters: [{ in: "path", name: "id" }] },
      rest: { method: "GET", path: "/rest/{*rest}", parameters: [{ in: "path", name: "rest" }] },
      list: { method: "GET", path: "/list", parameters: [{ in: "query", name: "tag" }] },
      header: { method: "GET", path: "/head", parameters: [{ in: "header", name: "X-Tag" }] },
      cookie: { method: "GET", path: "/cook", parameters: [{ in: "cookie", name: "tags" }] },
    } as const,
    {
      fetch: ({ url }) => {
        sent.push(url);
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    },
  ) as unknown as Record<string, (value: unknown) => Promise<unknown>>;
  const refused: [string, unknown, string][] = [
    ["one", ".", "'id'"],
    ["one", "..", "'id'"],
    ["one", "", "'id'"],
    ["rest", "../x", "'rest'"],
    ["rest", "a/./b", "'rest'"],
    ["header", ["a", "b,c"], "'X-Tag'"],
    ["cookie", ["a,b", "c"], "'tags'"],
  ];
  for (const [name, value, said] of refused) {
    await assertRejects(() => files[name]!(value), TypeError, said);
  }
  await files.one!("...");
  await files.rest!("a/b");
  await files.list!(["a,b", "c"]);
  await files.list!(["a,b"]);
  assertEquals(sent, [
    "http://a/one/...",
    "http://a/rest/a/b",
    "http://a/list?tag=a%2Cb&tag=c",
    "http://a/list?tag=a%2Cb",
  ]);
});

/** A client of one operation, whose requests are kept and answered with what is given. */
function recorded(parameters: readonly { in: string; name?: string }[], answer: () => Response) {
  const sent: Request[] = [];
  const { call } = client(
    "http://a",
    { call: { method: "POST", path: "/", parameters, problems: [{ status: 409, type: "/p" }] } },
    {
      headers: { Cookie: "session=1" },
      fetch: (request) => {
        sent.push(request);
        return Promise.resolve(answer());
      },
    },
  ) as unknown as {
    call: ((...values: unknown[]) => Promise<unknown>) & { readonly "~problem"?: object };
  };
  return { sent, call };
}

Deno.test("client() + sends the cookies that were given beside those of parameters", async () => {
  const parameters = [{ in: "cookie", name: "theme" }, { in: "cookie", name: "lang" }];
  const { sent, call } = recorded(parameters, () => new Response(null, { status: 204 }));
  await call("dark", "a;b");
  await call();
  assertEquals(sent.map(({ headers }) => headers.get("cookie")), [
    "session=1; theme=dark; lang=a%3Bb",
    "session=1",
  ]);
});

Deno.test("client() + sends null as a body, and nothing without one", async () => {
  const answer = () => new Response(null, { status: 204 });
  const { sent, call } = recorded([{ in: "body", name: "body" }], answer);
  await call(null);
  await call();
  assertEquals(await Promise.all(sent.map((request) => request.text())), ["null", ""]);
});

Deno.test("client() + writes bigints into bodies and parts alike", async () => {
  for (const place of ["body", "part"]) {
    const parameters = [{ in: place, name: "value" }];
    const { sent, call } = recorded(parameters, () => new Response(null, { status: 204 }));
    await call({ id: 10n ** 20n });
    assertEquals((await sent[0]!.text()).includes('{"id":"100000000000000000000"}'), true, place);
  }
});

Deno.test("client() + takes problem details for what they are", async () => {
  const failure = async (type: string, body: unknown) => {
    const { call } = recorded(
      [],
      () => new Response(JSON.stringify(body), { status: 409, headers: { "Content-Type": type } }),
    );
    const error = await assertRejects(() => call(), ProblemError);
    return [error.problem, error.body, isProblem(call, error)] as unknown[];
  };
  const problem = { type: "/p", title: "P" };
  for (const type of ["application/problem+json", "Application/Problem+JSON ; charset=utf-8"]) {
    assertEquals(await failure(type, problem), [problem, problem, true]);
    for (const body of [[], [problem], "text", 1, null]) {
      assertEquals(await failure(type, body), [undefined, body, false]);
    }
  }
  const longer = "application/problem+json-seq";
  assertEquals(await failure(longer, problem), [undefined, JSON.stringify(problem), false]);
  assertEquals(await failure("application/json", problem), [undefined, problem, false]);
});

Deno.test("client() + leaves null out of what is sent as text, and keeps it in JSON", async () => {
  const places = ["query", "header", "cookie", "form"];
  const parameters: ParameterContract[] = [
    ...places.map((place) => ({ in: place, name: place })),
    { in: "query", names: ["page", "tags"] },
  ];
  const contract = {
    Echo: {
      send: { method: "POST", path: "/", parameters },
      body: { method: "POST", path: "/", parameters: [{ in: "body", as: "body" }] },
    },
  };
  const sent: Request[] = [];
  const api = client("http://localhost", contract, {
    fetch: (request) => {
      sent.push(request);
      return Promise.resolve(new Response(null, { status: 204 }));
    },
  });
  const nothing = Object.fromEntries(places.map((place) => [place, null]));
  await api.echo.send({ ...nothing, page: null, tags: ["a", null, "b"] } as never);
  await api.echo.body({ body: null } as never);
  const [texts, json] = sent;
  assertEquals(texts!.url, "http://localhost/?tags=a&tags=b");
  assertEquals(["header", "cookie"].map((name) => texts!.headers.get(name)), [null, null]);
  assertEquals([await texts!.text(), await json!.text()], ["", "null"]);
});
