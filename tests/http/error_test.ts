import { assertEquals, assertInstanceOf, assertStrictEquals, assertThrows } from "@std/assert";
import { HttpError, HttpStatus } from "../../src/http/mod.ts";

Deno.test("HttpError + takes a status or its code", () => {
  for (const status of [HttpStatus.CONFLICT, 409]) {
    const error = new HttpError(status, "Taken");
    assertInstanceOf(error, Error);
    assertStrictEquals(error.status, HttpStatus.CONFLICT);
    assertEquals([error.name, error.message, error.headers], ["HttpError", "Taken", {}]);
    assertEquals("cause" in error, false);
  }
});

Deno.test("HttpError + says the reason phrase when it has no message", () => {
  assertEquals(new HttpError(404).message, "Not Found");
  assertEquals(new HttpError(404, "").message, "");
});

Deno.test("HttpError + keeps its cause and headers", () => {
  const error = new HttpError(503, "Busy", { cause: undefined, headers: { "Retry-After": "5" } });
  assertEquals("cause" in error, true);
  assertEquals(error.headers, { "Retry-After": "5" });
});

Deno.test("HttpError + refuses a status that is no error", () => {
  for (const status of [100, 200, 204, 304, 399, HttpStatus.OK]) {
    assertThrows(
      () => new HttpError(status),
      RangeError,
      "Expected an error status (400 to 599), found",
    );
  }
  assertThrows(() => new HttpError(600), RangeError);
});

Deno.test("HttpError + refuses headers that would break the answer later", () => {
  assertThrows(() => new HttpError(400, "a", { headers: { "X-A": "1\r\nX-B: 2" } }), TypeError);
  assertThrows(() => new HttpError(400, "a", { headers: { "X A": "1" } }), TypeError);
});
