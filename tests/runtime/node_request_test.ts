import { Buffer } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { NodeHeaders, standForHeaders } from "../../src/runtime/node/direct/headers.ts";
import { NodeRequest } from "../../src/runtime/node/direct/request.ts";
import { directOrigins } from "../../src/runtime/node/direct/target.ts";

function headersOf(...rawHeaders: string[]): NodeHeaders & Headers {
  standForHeaders();
  return new NodeHeaders({ rawHeaders } as unknown as IncomingMessage) as NodeHeaders & Headers;
}

Deno.test("NodeHeaders + has what Headers of the same lines have", () => {
  const lines = [
    "X-A",
    "1",
    "x-a",
    " 2\t",
    "Cookie",
    "a=1",
    "cookie",
    "b=2",
    "X-Empty",
    "",
    "H",
    "caf\xe9",
  ];
  const found = headersOf(...lines);
  const all = new Headers();
  for (let index = 0; index < lines.length; index += 2) {
    all.append(lines[index]!, lines[index + 1]!);
  }
  for (const name of ["x-a", "X-A", "X-Empty", "h", "none"]) {
    assertEquals([found.get(name), found.has(name)], [all.get(name), all.has(name)], name);
  }
  assertEquals(found.get("cookie"), "a=1; b=2");
  assert(found instanceof Headers);
  assertEquals([...found].length, [...all].length);
  assertEquals([...new Headers(found)].map(([name]) => name), [...all].map(([name]) => name));
});

Deno.test("NodeHeaders + refuses what is no name, and keeps what is changed", () => {
  const found = headersOf("X-A", "1");
  assertThrows(() => found.get("x a"), TypeError);
  found.set("X-A", "2");
  found.append("X-B", "3");
  found.delete("X-C");
  assertEquals([found.get("x-a"), found.get("x-b")], ["2", "3"]);
});

Deno.test("directOrigins() + takes plain requests alone", () => {
  const originOf = directOrigins();
  const url = (target: string, host: string | undefined = "h:8080", method = "GET") => {
    const origin = originOf(
      { method, url: target, headers: { host } } as unknown as IncomingMessage,
    );
    return origin && origin + target;
  };
  for (
    const target of ["/", "/a/b.c", "/a?b=c%20d&e[]=1", "/.well-known/x", "/a..b", "//a", "/%2F"]
  ) {
    assertEquals(url(target), `http://h:8080${target}`);
    assertEquals(new URL(`http://h:8080${target}`).href, `http://h:8080${target}`);
  }
  for (
    const target of [
      ...[
        "",
        "*",
        "http://h/a",
        "a",
        "/a\\b",
        "/a#b",
        "/a b",
        "/a?b='",
        "/é",
        '/a"',
        "/<",
        "/{a}",
        "/^",
      ],
      ...["/./a", "/a/..", "/a/../b", "/a/.?b", "/%2e%2E/a", "/a/%2e"],
    ]
  ) assertEquals(url(target), undefined, target);
  for (const host of ["", "H", "h:80", "h:", "h/a", "127.1", "1", "é", "h h", "u@h", "[::1]x"]) {
    assertEquals(url("/a", host), undefined, host);
  }
  assertEquals(url("/a", "[::1]:8080"), "http://[::1]:8080/a");
  assertEquals(
    originOf({ method: "GET", url: "/", headers: {} } as unknown as IncomingMessage),
    undefined,
  );
  for (const method of ["TRACE", "CONNECT", "get", "PURGE"]) {
    assertEquals(url("/a", "h:8080", method), undefined, method);
  }
});

/** A message as Node's parser fills it, without a connection. */
function received(method: string, headers: Record<string, string>, bytes = "") {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { method, url: "/", headers });
  if (bytes !== "") incoming.push(Buffer.from(bytes));
  const request = new NodeRequest("http://h", incoming, new ServerResponse(incoming), () => {
    throw new Error("No Request is made");
  });
  return { incoming, request };
}

Deno.test("NodeRequest.readBytes() + reads nothing of a GET, nor of a client that has left", () => {
  const get = received("GET", { "content-length": "4" }, "body");
  assertEquals(get.request.readBytes(), undefined);
  const left = received("POST", { "content-length": "4" }, "bo");
  left.incoming.destroy();
  assertEquals(left.request.readBytes(), undefined);
  // Without a body nothing is missing.
  const empty = received("POST", {});
  empty.incoming.destroy();
  assertEquals(empty.request.readBytes(), new Uint8Array());
  const whole = received("POST", { "content-length": "4" }, "body");
  assertEquals(whole.request.readBytes(), Buffer.from("body"));
});

Deno.test("NodeRequest.readBytes() + takes a body that fails after its last byte, and no other", async () => {
  const table: [headers: Record<string, string>, isComplete: boolean, isWhole: boolean][] = [
    [{ "content-length": "4" }, true, true],
    [{ "content-length": "4" }, false, false],
    [{ "content-length": "5" }, true, false],
    [{ "content-length": "3" }, true, false],
    [{ "transfer-encoding": "chunked" }, true, false],
  ];
  for (const [headers, complete, isWhole] of table) {
    const { incoming, request } = received("POST", headers);
    const read = request.readBytes() as Promise<Uint8Array>;
    incoming.push(Buffer.from("body"));
    await new Promise((resolve) => incoming.once("data", resolve));
    incoming.complete = complete;
    incoming.destroy(new Error("reset"));
    if (isWhole) assertEquals(await read, Buffer.from("body"));
    else await assertRejects(() => read, Error, "reset");
  }
});
