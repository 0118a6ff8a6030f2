import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { sendable } from "../../src/http/mod.ts";

const answer = (headers: HeadersInit, status = 200) => new Response("body", { status, headers });

Deno.test("sendable() + gives a response as it is that can be sent", () => {
  const response = answer({ "X-A": "a\tb \x80\xff", "Content-Length": "4", "Tea": "green" });
  assertStrictEquals(sendable(response), response);
});

Deno.test("sendable() + drops fields about one connection, those that it lists too", async () => {
  const response = sendable(answer({
    "Connection": "close, X-Listed, not a name",
    "Keep-Alive": "timeout=5",
    "Proxy-Authorization": "Basic",
    "Proxy-Connection": "close",
    "TE": "trailers",
    "Trailer": "X-A",
    "Transfer-Encoding": "chunked",
    "Upgrade": "h2c",
    "X-Listed": "1",
    "X-Kept": "1",
  }));
  assertEquals([...response.headers.keys()], ["content-type", "x-content-type-options", "x-kept"]);
  assertEquals(await response.text(), "body");
});

Deno.test("sendable() + refuses control characters without repeating them", () => {
  for (const value of ["a\x01b", "\x7f", "a\x1b[0m", "\x0b\x0ca"]) {
    const { message } = assertThrows(
      () => sendable(answer({ "X-Secret": `a${value}a` })),
      TypeError,
    );
    assertEquals(
      message,
      "Cannot send the header 'x-secret': its value has a control character",
    );
  }
});

Deno.test("sendable() + refuses a length that is none", () => {
  for (const value of ["x", "-1", "5, 5", ""]) {
    assertThrows(() => sendable(answer({ "Content-Length": value })), TypeError, "is not a length");
  }
});

Deno.test("sendable() + refuses what is no final response", () => {
  assertThrows(() => sendable(Response.error()), RangeError, "the status 0");
});

Deno.test("sendable() + refuses a body that was read already", async () => {
  const response = answer({});
  await response.text();
  assertThrows(() => sendable(response), TypeError, "read already");
});
