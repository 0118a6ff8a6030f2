import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { HttpStatus, ResponseEntity } from "../../src/http/mod.ts";

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain;charset=UTF-8";
const BYTES_TYPE = "application/octet-stream";

Deno.test("ResponseEntity + has a factory for each status of the reference", () => {
  const statuses: readonly (readonly [ResponseEntity, number])[] = [
    [ResponseEntity.ok(), 200],
    [ResponseEntity.created("/users/1"), 201],
    [ResponseEntity.accepted(), 202],
    [ResponseEntity.noContent(), 204],
    [ResponseEntity.badRequest(), 400],
    [ResponseEntity.unauthorized(), 401],
    [ResponseEntity.notFound(), 404],
    [ResponseEntity.unprocessableEntity(), 422],
    [ResponseEntity.status(HttpStatus.IM_A_TEAPOT), 418],
    [ResponseEntity.status(HttpStatus.of(599)), 599],
  ];
  for (const [entity, status] of statuses) {
    assertStrictEquals(entity.status, HttpStatus.of(status));
    const response = entity.toResponse();
    assertEquals([response.status, response.body], [status, null]);
    assertEquals(entity.body, undefined);
  }
});

Deno.test("ResponseEntity.created() + sets the header 'Location'", () => {
  assertEquals(ResponseEntity.created("/users/1").headers.get("Location"), "/users/1");
});

Deno.test("ResponseEntity + changes and returns the same object", () => {
  const entity: ResponseEntity = ResponseEntity.ok();
  assertStrictEquals(entity.withJson({}), entity);
  assertStrictEquals(entity.withXml({}), entity);
  assertStrictEquals(entity.withHeader("X-A", "1"), entity);
  assertStrictEquals(entity.withCookie("a", "1"), entity);
  assertStrictEquals(entity.withStatusCode(202), entity);
  assertStrictEquals(entity.setBody("text"), entity);
  assertEquals([entity.status.value, entity.body], [202, "text"]);
});

const JSON_BODIES: readonly (readonly [unknown, string])[] = [
  [{ a: [1, null] }, `{"a":[1,null]}`],
  [[], "[]"],
  [0, "0"],
  [false, "false"],
  [null, "null"],
  ["", `""`],
  ["text", `"text"`],
  [undefined, "null"],
];

Deno.test("ResponseEntity.withJson() + sends any body, falsy ones too", async (t) => {
  for (const [body, text] of JSON_BODIES) {
    await t.step(text, async () => {
      const response = ResponseEntity.ok().withJson(body).toResponse();
      assertEquals(response.headers.get("Content-Type"), JSON_TYPE);
      assertEquals(await response.text(), text);
    });
  }
});

Deno.test("ResponseEntity.withXml() + sends a text as it is, writes anything else", async () => {
  const text = ResponseEntity.ok().withXml("<a>1 & 2</a>").toResponse();
  assertEquals(text.headers.get("Content-Type"), "application/xml");
  assertEquals(await text.text(), "<a>1 & 2</a>");

  const empty = ResponseEntity.ok().withXml("").toResponse();
  assertEquals(await empty.text(), "");

  const object = ResponseEntity.ok().withXml({ id: 0 }).toResponse();
  assertEquals(
    await object.text(),
    `<?xml version="1.0" encoding="UTF-8"?>\n<response><id>0</id></response>`,
  );
});

const UNTYPED_BODIES: readonly (readonly [string, unknown, string, string])[] = [
  ["text", "text", TEXT_TYPE, "text"],
  ["no text", "", TEXT_TYPE, ""],
  ["zero", 0, JSON_TYPE, "0"],
  ["false", false, JSON_TYPE, "false"],
  ["null", null, JSON_TYPE, "null"],
  ["no element", [], JSON_TYPE, "[]"],
  ["object", { a: 1 }, JSON_TYPE, `{"a":1}`],
  ["bytes", new Uint8Array([65]), BYTES_TYPE, "A"],
];

Deno.test("ResponseEntity.setBody() + without a type lets the body's kind decide", async (t) => {
  for (const [name, body, type, text] of UNTYPED_BODIES) {
    await t.step(name, async () => {
      const response = ResponseEntity.accepted().withHeader("X-A", "1").setBody(body).toResponse();
      assertEquals(response.status, 202);
      assertEquals(response.headers.get("Content-Type"), type);
      assertEquals(response.headers.get("X-A"), "1");
      assertEquals(await response.text(), text);
    });
  }
});

const TYPED_BODIES:
  readonly (readonly [type: string, body: unknown, text: string, sent?: string])[] = [
    ["application/json", "{broken", "{broken"],
    ["application/json", [1], "[1]"],
    ["application/problem+json", { status: 400 }, `{"status":400}`],
    ["text/html", "<p>", "<p>", "text/html;charset=UTF-8"],
    ["Text/Html", "<p>", "<p>", "Text/Html;charset=UTF-8"],
    ["text/html; Charset=latin1", "<p>", "<p>"],
    ["text/plain;format=flowed", "a", "a", "text/plain;format=flowed;charset=UTF-8"],
    ["text/csv", 0, "0", "text/csv;charset=UTF-8"],
    ["text/csv", new Uint8Array([65]), "A"],
    ["text/csv", new Blob(["A"]), "A"],
    ["text/csv", new Blob(["A"]).stream(), "A"],
    ["text/xml", "<a/>", "<a/>"],
    ["text/xml; charset=utf-8", { a: 1 }, "<response><a>1</a></response>"],
    ["application/atom+xml", { a: 1 }, "<response><a>1</a></response>"],
    ["application/pdf", new Uint8Array([37, 80]), "%P"],
  ];

Deno.test("ResponseEntity.setBody() + keeps a type, with the charset of its text, and writes in it", async (t) => {
  for (const [type, body, text, sent = type] of TYPED_BODIES) {
    await t.step(`${type} ${Object.prototype.toString.call(body)}`, async () => {
      const entity = ResponseEntity.ok().withHeader("Content-Type", type).setBody(body);
      const response = entity.toResponse();
      assertEquals(response.headers.get("Content-Type"), sent);
      assertEquals((await response.text()).replace(/^<\?xml.*\?>\n/, ""), text);
    });
  }
});

Deno.test("ResponseEntity.setBody() + after withJson() replaces the body, not the type", async () => {
  const response = ResponseEntity.ok().withJson({ a: 1 }).setBody("[2]").toResponse();
  assertEquals(response.headers.get("Content-Type"), JSON_TYPE);
  assertEquals(await response.text(), "[2]");
});

Deno.test("ResponseEntity.setBody() + sends an async iterable as events where the type says so", async () => {
  async function* events() {
    yield "a";
    yield await Promise.resolve("b");
  }
  const typed = ResponseEntity.ok().withHeader("Content-Type", "text/event-stream;charset=utf-8");
  assertEquals(await typed.setBody(events()).toResponse().text(), "data: a\n\ndata: b\n\n");

  const other = ResponseEntity.ok().withHeader("Content-Type", "application/x-ndjson");
  assertEquals(await other.setBody(events()).toResponse().text(), "ab");
});

Deno.test("ResponseEntity.toResponse() + refuses what was set on its headers and no header can carry", () => {
  const entity = ResponseEntity.ok();
  // Deno's `Headers` take what its server does not.
  entity.headers.set("X-A", "a\x01");
  assertThrows(() => entity.toResponse(), TypeError);
});

Deno.test("ResponseEntity.withHeader() + appends, but keeps one type and one address", () => {
  const entity = ResponseEntity.created("/a").withHeader("Vary", "Accept").withHeader(
    "vary",
    "Origin",
  )
    .withHeader("Location", "/b").withJson({})
    .withHeader("content-type", "application/problem+json");
  assertEquals(entity.headers.get("Vary"), "Accept, Origin");
  assertEquals(entity.headers.get("Location"), "/b");
  assertEquals(entity.headers.get("Content-Type"), "application/problem+json");
});

const REFUSED_HEADERS: readonly (readonly [string, string, string])[] = [
  ["X-A", "1\r\nX-B: 2", "'X-A': its value has a control character, such as a line break"],
  ["X-A", "1\n2", "'X-A': its value has a control character, such as a line break"],
  ["X-A", "1\r", "'X-A': its value has a control character, such as a line break"],
  ["X-A", "\0", "'X-A': its value has a control character, such as a line break"],
  ["X-A", "\x01", "'X-A': its value has a control character, such as a line break"],
  ["X-A", "\x7f", "'X-A': its value has a control character, such as a line break"],
  ...["Content-Length", "transfer-encoding", "Connection", "Trailer", "Upgrade", "Keep-Alive"].map(
    (name) => [name, "1", `'${name}': the server sets it`] as const,
  ),
  ["__Proto__", "1", "'__proto__': not every runtime can send it"],
  [
    "X-A",
    "日",
    "'X-A': its value must be encoded, because it has a character outside Latin-1",
  ],
  ["X A", "1", '"X A": its name is not a valid token'],
  ["X-A\r\nX-B", "1", '"X-A\\r\\nX-B": its name is not a valid token'],
  ["", "1", '"": its name is not a valid token'],
];

Deno.test("ResponseEntity.withHeader() + refuses what no header can carry", async (t) => {
  for (const [name, value, message] of REFUSED_HEADERS) {
    await t.step(JSON.stringify([name, value]), () => {
      const error = assertThrows(() => ResponseEntity.ok().withHeader(name, value), TypeError);
      assertEquals(error.message, `Cannot set the header ${message}`);
    });
  }
  assertThrows(() => ResponseEntity.created("/a\r\nSet-Cookie: b"), TypeError);
});

Deno.test("ResponseEntity.withHeader() + takes tabs and Latin-1", () => {
  assertEquals(ResponseEntity.ok().withHeader("X-A", "a\té").headers.get("X-A"), "a\té");
});

Deno.test("ResponseEntity.withStatusCode() + refuses what ends no response", () => {
  for (const code of [0, 99, 100, 101, 103, 199, 600, 1000, 200.5, NaN]) {
    assertThrows(() => ResponseEntity.ok().withStatusCode(code), RangeError);
  }
  assertThrows(() => ResponseEntity.status(HttpStatus.EARLY_HINTS), RangeError);
});

Deno.test("ResponseEntity.withCookie() + adds one 'Set-Cookie' for each, encoded", () => {
  const response = ResponseEntity.ok().withCookie("a", "1 2;")
    .withCookie("b", "2", {
      httpOnly: true,
      secure: true,
      sameSite: "Strict",
      maxAge: 60,
      path: "/x",
    })
    .withJson({}).toResponse();
  assertEquals(response.headers.getSetCookie(), [
    "a=1%202%3B; Path=/",
    "b=2; Max-Age=60; Path=/x; HttpOnly; Secure; SameSite=Strict",
  ]);
  const untyped = ResponseEntity.ok().withCookie("a", "1").withCookie("b", "2").setBody("text");
  assertEquals(untyped.toResponse().headers.getSetCookie(), ["a=1; Path=/", "b=2; Path=/"]);
});

Deno.test("ResponseEntity.withCookie() + refuses names and options that would break out", () => {
  assertThrows(() => ResponseEntity.ok().withCookie("a b", "1"));
  assertThrows(() => ResponseEntity.ok().withCookie("a;b", "1"));
  assertThrows(() => ResponseEntity.ok().withCookie("a", "1", { path: "/; Secure" }));
});

Deno.test("ResponseEntity.toResponse() + sends neither body nor type with 204, 205 and 304", async (t) => {
  for (const code of [204, 205, 304]) {
    await t.step(String(code), () => {
      const entity = ResponseEntity.ok().withJson({ a: 1 }).withHeader("ETag", '"1"');
      const response = entity.withStatusCode(code).toResponse();
      assertEquals([response.status, response.body], [code, null]);
      assertEquals(response.headers.has("Content-Type"), false);
      assertEquals(response.headers.get("ETag"), '"1"');
      // The entity itself is as it was: another status brings the body back.
      assertEquals(entity.headers.get("Content-Type"), JSON_TYPE);
    });
  }
});

Deno.test("ResponseEntity.toResponse() + closes a body that is not sent", () => {
  let cancelled = 0;
  const stream = new ReadableStream({ cancel: () => void cancelled++ });
  ResponseEntity.noContent().setBody(stream).toResponse();
  const iterator = {
    next: () => Promise.reject(new Error("Not asked for")),
    return: () => Promise.resolve({ done: true as const, value: void cancelled++ }),
  };
  ResponseEntity.noContent().setBody({ [Symbol.asyncIterator]: () => iterator }).toResponse();
  assertEquals(cancelled, 2);
});

Deno.test("ResponseEntity.toResponse() + may be called again, its headers are not shared", () => {
  const entity = ResponseEntity.ok().withJson([]);
  entity.toResponse().headers.set("X-A", "1");
  assertEquals(entity.toResponse().headers.has("X-A"), false);
});

Deno.test("ResponseEntity.toResponse() + fails for what JSON cannot hold", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  for (const body of [1n, cycle, { a: 1n }, () => {}, Symbol("a")]) {
    assertThrows(() => ResponseEntity.ok().withJson(body).toResponse(), TypeError);
    assertThrows(() => ResponseEntity.ok().setBody(body).toResponse(), TypeError);
  }
});
