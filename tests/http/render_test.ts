import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { HttpStatus, isResponse, render, ResponseEntity } from "../../src/http/mod.ts";

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain;charset=UTF-8";
const BYTES_TYPE = "application/octet-stream";

async function* none() {}

class Point {
  constructor(readonly x: number) {}
  toJSON(): unknown {
    return [this.x];
  }
}

const KINDS: readonly (readonly [string, () => unknown, string, string])[] = [
  ["object", () => ({ a: 1, b: undefined }), JSON_TYPE, `{"a":1}`],
  ["array", () => [1, "2"], JSON_TYPE, `[1,"2"]`],
  ["empty array", () => [], JSON_TYPE, "[]"],
  ["date", () => new Date(0), JSON_TYPE, `"1970-01-01T00:00:00.000Z"`],
  ["object with toJSON", () => new Point(1), JSON_TYPE, "[1]"],
  ["null", () => null, JSON_TYPE, "null"],
  ["zero", () => 0, JSON_TYPE, "0"],
  ["false", () => false, JSON_TYPE, "false"],
  ["text", () => "Grüße", TEXT_TYPE, "Grüße"],
  ["empty text", () => "", TEXT_TYPE, ""],
  ["bytes", () => new TextEncoder().encode("ab"), BYTES_TYPE, "ab"],
  ["part of a buffer", () => new TextEncoder().encode("abc").subarray(1, 2), BYTES_TYPE, "b"],
  ["DataView", () => new DataView(new TextEncoder().encode("ab").buffer), BYTES_TYPE, "ab"],
  ["ArrayBuffer", () => new TextEncoder().encode("ab").buffer, BYTES_TYPE, "ab"],
  ["Blob", () => new Blob(["ab"]), BYTES_TYPE, "ab"],
  ["Blob of a type", () => new Blob(["ab"], { type: "text/csv" }), "text/csv", "ab"],
  ["stream", () => new Blob(["ab"]).stream(), BYTES_TYPE, "ab"],
  ["async iterable", none, "text/event-stream", ""],
];

Deno.test("render() + gives each kind of value its type and text", async (t) => {
  for (const [name, value, type, text] of KINDS) {
    await t.step(name, async () => {
      const response = render(value());
      assertEquals([response.status, response.headers.get("Content-Type")], [200, type]);
      assertEquals(await response.text(), text);
    });
  }
});

Deno.test("render() + refuses what JSON would write as if it were empty, and nothing more", async () => {
  const refused = [
    new Map([[1, 2]]),
    new Set([1]),
    new Map().values(),
    new URLSearchParams("a=1"),
    new Headers(),
    Object.assign(new Error("a"), { code: 1 }),
  ];
  for (const value of refused) assertThrows(() => render(value), TypeError, "Cannot write a value");
  class Page {
    items = [1];
    *[Symbol.iterator]() {
      yield* this.items;
    }
  }
  assertEquals(await render(new Page()).text(), '{"items":[1]}');
  assertEquals(await render(Object.create(null)).text(), "{}");
});

Deno.test("render() + takes the status for every kind", async (t) => {
  for (const [name, value, type, text] of KINDS) {
    await t.step(name, async () => {
      const response = render(value(), 201);
      assertEquals([response.status, response.headers.get("Content-Type")], [201, type]);
      assertEquals(await response.text(), text);
    });
  }
});

Deno.test("render() + sends neither body nor type with 204, 205 and 304", async (t) => {
  for (const [name, value] of KINDS) {
    await t.step(name, () => {
      for (const status of [204, 205, 304]) {
        const response = render(value(), status);
        assertEquals([response.status, response.body], [status, null]);
        assertEquals(response.headers.has("Content-Type"), false);
      }
    });
  }
});

Deno.test("render() + answers undefined with 204, or the status and no body", () => {
  for (const status of [undefined, 200, 202, 204]) {
    const response = render(undefined, status);
    assertEquals([response.status, response.body], [status ?? 204, null]);
    assertEquals(response.headers.has("Content-Type"), false);
  }
});

Deno.test("render() + lets ResponseEntity and Response say their own status", () => {
  const response = new Response("a", { status: 203 });
  assertStrictEquals(render(response, 201), response);
  const entity = ResponseEntity.status(HttpStatus.CONFLICT).setBody("a");
  assertEquals(render(entity, 201).status, 409);
});

Deno.test("render() + gives each response headers of its own", () => {
  render({}).headers.set("X-A", "1");
  assertEquals(render({}).headers.has("X-A"), false);
});

Deno.test("render() + fails for what JSON cannot hold", async (t) => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const values = { bigint: 1n, cycle, function: () => {}, symbol: Symbol("a") };
  for (const [name, value] of Object.entries(values)) {
    await t.step(name, () => {
      assertThrows(() => render(value), TypeError);
    });
  }
  assertEquals(
    assertThrows(() => render(() => {}), TypeError).message,
    "Cannot write a value as JSON: it is a function",
  );
});

Deno.test("render() + names the place of a bigint and of a cycle, by JSON pointer", () => {
  const failing = (value: unknown) => assertThrows(() => render(value), TypeError).message;
  const prefix = "Cannot write a value as JSON: it has";
  assertEquals(failing({ n: 1n }), `${prefix} a bigint at '/n'`);
  assertEquals(failing(1n), "Cannot write a value as JSON: it is a bigint");
  const users = [{ id: 1 }, { a: "", at: new Date(0), of: { id: 2n } }];
  assertEquals(failing({ total: 2, users }), `${prefix} a bigint at '/users/1/of/id'`);
  assertEquals(failing([{ toJSON: () => [1n] }]), `${prefix} a bigint at '/0/0'`);
  const cycle: { list: unknown[] } = { list: [{}] };
  cycle.list.push({ up: cycle.list });
  assertEquals(failing(cycle), `${prefix} a cycle at '/list/1/up'`);
});

Deno.test("render() + gives on what a getter or toJSON() throws", () => {
  const error = new TypeError("not loaded");
  const thrower = () => {
    throw error;
  };
  for (
    const value of [{ a: 1n, toJSON: thrower }, {
      a: 1,
      get b() {
        return thrower();
      },
    }]
  ) {
    assertStrictEquals(assertThrows(() => render(value)), error);
  }
});

Deno.test("render() + closes a stream or iterable that is not sent", async () => {
  let cancelled = 0;
  render(new ReadableStream({ cancel: () => void cancelled++ }), 204);
  const iterable = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error("Not asked for")),
      return: () => Promise.resolve({ done: true, value: void cancelled++ }),
    }),
  };
  render(iterable, 204);
  await Promise.resolve();
  assertEquals(cancelled, 2);
});

Deno.test("isResponse() + knows native responses where the global class is another", async () => {
  const native = new Response("a");
  const Native = globalThis.Response;
  // As `@hono/node-server` does.
  class Replaced {}
  Object.setPrototypeOf(Replaced.prototype, Native.prototype);
  globalThis.Response = Replaced as typeof Response;
  try {
    assertEquals(native instanceof Response, false);
    assertStrictEquals(render(native), native);
    assertEquals(isResponse(new Replaced()), true);
  } finally {
    globalThis.Response = Native;
  }
  assertEquals(await native.text(), "a");
  for (const value of [undefined, null, "Response", {}, new Headers(), () => {}]) {
    assertEquals(isResponse(value), false);
  }
});
