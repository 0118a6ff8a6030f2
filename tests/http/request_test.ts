import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { type Context, Hono } from "hono";
import { HttpError, HttpRequest } from "../../src/http/mod.ts";

/** The result of `read` for a request to a Hono app at `/users/:id`. */
async function reading<T>(
  url: string,
  init: RequestInit | undefined,
  read: (request: HttpRequest, context: Context) => T | Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  let failure: unknown;
  const app = new Hono();
  app.all("/users/:id", async (context) => {
    try {
      result = { value: await read(new HttpRequest(context), context) };
    } catch (error) {
      failure = error;
    }
    return context.body(null, 204);
  });
  await app.request(url, init);
  if (result === undefined) throw failure;
  return result.value;
}

const URL = "http://localhost/users/a%20b?q=1&q=2&empty=&name=J%C3%B6rg+K";

Deno.test("HttpRequest + tells what was asked for", async () => {
  const init = { method: "PUT", headers: { "X-A": "1", Cookie: "a=1; b=x%20y" }, body: "text" };
  await reading(URL, init, (request, context) => {
    assertStrictEquals(request.context, context);
    assertStrictEquals(request.raw, context.req.raw);
    assertStrictEquals(request.signal, context.req.raw.signal);
    assertStrictEquals(request.headers, context.req.raw.headers);
    assertEquals([request.method, request.url, request.path], ["PUT", URL, "/users/a%20b"]);
    assertEquals([request.header("x-a"), request.header("X-B")], ["1", undefined]);
    assertEquals([request.query("q"), request.query("none")], ["1", undefined]);
    assertEquals([request.query("empty"), request.query("name")], ["", "Jörg K"]);
    assertEquals([request.queryAll("q"), request.queryAll("none")], [["1", "2"], []]);
    assertEquals([request.cookie("b"), request.cookie("none")], ["x y", undefined]);
    assertEquals([request.pathVariable("id"), request.pathVariable("none")], ["a b", undefined]);
  });
});

Deno.test("HttpRequest.query() and queryAll() + read short targets, which are no URLs", () => {
  for (
    const target of ["/?q=1&q=2", "/search?a=x&q=1&q=2", "/a?q=1&q=2#?q=3", "http://h/?q=1&q=2"]
  ) {
    const request = new HttpRequest({ context: {} as Context, target });
    assertEquals([request.query("q"), request.query("none")], ["1", undefined], target);
    assertEquals([request.queryAll("q"), request.queryAll("none")], [["1", "2"], []], target);
  }
});

Deno.test("HttpRequest + asks the reader of path variables that it is given", async () => {
  await reading(URL, undefined, (_, context) => {
    const request = new HttpRequest(context, (name) => name === "id" ? "7" : undefined);
    assertEquals([request.pathVariable("id"), request.pathVariable("a")], ["7", undefined]);
  });
});

Deno.test("HttpRequest + reads the body in any order, and again", async (t) => {
  const body = `{"name":"Jörg"}`;
  const ways = {
    json: async (request: HttpRequest) => assertEquals(await request.json(), { name: "Jörg" }),
    text: async (request: HttpRequest) => assertEquals(await request.text(), body),
    bytes: async (request: HttpRequest) =>
      assertEquals(await request.bytes(), new TextEncoder().encode(body)),
  };
  for (const [first, readFirst] of Object.entries(ways)) {
    for (const [second, readSecond] of Object.entries(ways)) {
      await t.step(`${first}, ${second}`, async () => {
        await reading(URL, { method: "POST", body }, async (request) => {
          await readFirst(request);
          await readSecond(request);
          await readFirst(request);
        });
      });
    }
  }
});

Deno.test("HttpRequest.bytes() + are as they were sent, also after text()", async () => {
  const body = new Uint8Array([0xef, 0xbb, 0xbf, 0x00, 0x61]);
  await reading(URL, { method: "POST", body }, async (request) => {
    assertEquals(await request.text(), "\0a");
    assertEquals(await request.bytes(), body);
  });
});

Deno.test("HttpRequest.text() and json() + refuse what is not UTF-8", async () => {
  const body = new Uint8Array([0x22, 0xff, 0x22]);
  await reading(URL, { method: "POST", body }, async (request) => {
    for (const read of [() => request.text(), () => request.json()]) {
      const error = await assertRejects(read, HttpError, "The request body is not UTF-8");
      assertEquals(error.status.value, 400);
    }
    assertEquals(await request.bytes(), body);
  });
});

Deno.test("HttpRequest.json() + leaves out keys that would be prototypes, and refuses 1,001 levels", async () => {
  const body = '{"a":[{"\\u005f_proto__":{"admin":true}}],"__proto__":1}';
  await reading(URL, { method: "POST", body }, async (request) => {
    assertEquals(JSON.stringify(await request.json()), '{"a":[{}]}');
  });
  const deep = `${"[".repeat(1001)}${"]".repeat(1001)}`;
  await reading(URL, { method: "POST", body: deep }, async (request) => {
    await assertRejects(() => request.json(), HttpError, "not well-formed JSON");
  });
});

Deno.test("HttpRequest.bytes() + of no body are none", async () => {
  await reading(URL, undefined, async (request) => {
    assertEquals([await request.text(), (await request.bytes()).length], ["", 0]);
  });
});

Deno.test("HttpRequest.json() + calls what is no JSON the client's mistake", async () => {
  for (const body of ["", "{", "undefined"]) {
    const error = await assertRejects(
      () => reading(URL, { method: "POST", body }, (request) => request.json()),
      HttpError,
    );
    assertEquals(
      [error.status.value, error.message],
      [400, "The request body is not well-formed JSON"],
    );
    assertEquals((error.cause as Error).name, "SyntaxError");
  }
});

Deno.test("HttpRequest.json() + gives a value of its own each time", async () => {
  await reading(URL, { method: "POST", body: `{"a":1}` }, async (request) => {
    const first = await request.json<{ a: number }>();
    first.a = 2;
    assertEquals(await request.json(), { a: 1 });
  });
});
