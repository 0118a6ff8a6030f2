import { assertEquals, assertLess } from "@std/assert";
import { Hono } from "hono";
import {
  type Addresses,
  HttpRequest,
  parseAddresses,
  type TrustedProxies,
  trustProxies,
} from "../../src/http/mod.ts";

const TRUSTED = parseAddresses(["10.0.0.0/8", "::1"]);

/** The address that a handler sees behind a proxy that writes `Forwarded`. */
function seenBy(
  peer: string,
  headers: Record<string, string>,
  proxies = TRUSTED,
): Promise<string | undefined> {
  return seen(peer, headers, proxies, { remoteAddr: { hostname: peer } }, "forwarded");
}

/** The address that a handler sees. */
async function seen(
  peer: string,
  headers: Record<string, string>,
  proxies = TRUSTED,
  env: object = { remoteAddr: { hostname: peer } },
  field: TrustedProxies["field"] = "x-forwarded-for",
): Promise<string | undefined> {
  let address: string | undefined;
  const app = new Hono().get("/", (context) => {
    address = new HttpRequest(context).clientAddress;
    return context.body(null);
  });
  trustProxies(env, { has: proxies, field });
  await app.request("/", { headers }, env);
  return address;
}

Deno.test("HttpRequest.clientAddress + is the peer where no proxy is trusted", async () => {
  const headers = { "X-Forwarded-For": "1.1.1.1", "Forwarded": "for=1.1.1.1" };
  assertEquals(await seen("9.9.9.9", headers), "9.9.9.9");
  assertEquals(await seen("10.0.0.1", headers, parseAddresses([])), "10.0.0.1");
});

Deno.test("HttpRequest.clientAddress + knows the peer of each runtime", async () => {
  const envs = [
    { remoteAddr: { hostname: "9.9.9.9" } },
    { incoming: { socket: { remoteAddress: "::ffff:9.9.9.9" } } },
    { requestIP: () => ({ address: "9.9.9.9" }) },
    { server: { requestIP: () => ({ address: "9.9.9.9" }) } },
  ];
  for (const env of envs) assertEquals(await seen("", {}, TRUSTED, env), "9.9.9.9");
  for (const env of [{}, { requestIP: () => null }, { incoming: {} }]) {
    assertEquals(await seen("", { "X-Forwarded-For": "1.1.1.1" }, TRUSTED, env), undefined);
  }
});

Deno.test("HttpRequest.clientAddress + after the response is the value read before, or undefined", async () => {
  for (const isAsked of [true, false]) {
    let request: HttpRequest | undefined;
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (raw, env) =>
        new Hono().get("/", (context) => {
          request = new HttpRequest(context);
          if (isAsked) assertEquals(request.clientAddress, "127.0.0.1");
          return context.text("done");
        }).fetch(raw, env),
    );
    await (await fetch(`http://127.0.0.1:${server.addr.port}/`)).text();
    await server.shutdown();
    assertEquals(request?.clientAddress, isAsked ? "127.0.0.1" : undefined);
  }
});

Deno.test("HttpRequest.clientAddress + reads from the right up to the first untrusted address", async () => {
  const cases: readonly (readonly [list: string, address: string])[] = [
    ["1.1.1.1", "1.1.1.1"],
    ["6.6.6.6, 1.1.1.1", "1.1.1.1"],
    ["6.6.6.6, 1.1.1.1, 10.0.0.2", "1.1.1.1"],
    ["10.0.0.3,10.0.0.2", "10.0.0.3"],
    ["1.1.1.1:4711", "1.1.1.1"],
    ["[2001:db8::1]:80", "2001:db8::1"],
    ["2001:DB8::1", "2001:db8::1"],
    ["6.6.6.6, unknown", "10.0.0.1"],
    ["6.6.6.6, <script>, 10.0.0.2", "10.0.0.2"],
    ["", "10.0.0.1"],
  ];
  for (const [list, address] of cases) {
    assertEquals(await seen("10.0.0.1", { "X-Forwarded-For": list }), address, list);
  }
});

Deno.test("HttpRequest.clientAddress + reads Forwarded if that header is configured", async () => {
  const cases: readonly (readonly [list: string, address: string])[] = [
    ["for=1.1.1.1", "1.1.1.1"],
    ['for=6.6.6.6, For="[2001:db8::1]:80";proto=https, by=x;for=10.0.0.2;host=h', "2001:db8::1"],
    ["for=6.6.6.6, for=_hidden", "::1"],
    ["proto=https", "::1"],
    ['for=6.6.6.6, for=1.1.1.1;host="a,b"', "1.1.1.1"],
    ['for=1.1.1.1;host="a\\",b"', "1.1.1.1"],
    ['host=";for=6.6.6.6;";for=1.1.1.1', "1.1.1.1"],
    ["for=1.1.1.1,", "1.1.1.1"],
    ["for=6.6.6.6, for=1.1.1.1, ,", "1.1.1.1"],
  ];
  for (const [list, address] of cases) {
    assertEquals(await seenBy("::1", { Forwarded: list }), address, list);
  }
  for (const hop of ["for", "for=", 'for="1.1.1.1', "for=a b", ";;", "xfor=1.1.1.1"]) {
    assertEquals(await seenBy("::1", { Forwarded: `for=6.6.6.6, ${hop}` }), "::1", hop);
  }
  assertEquals(await seenBy("::1", { Forwarded: ' proto=x ; FOR = "1.1.1.1" ;a' }), "1.1.1.1");
});

Deno.test("HttpRequest.clientAddress + ignores the header that is not configured", async () => {
  const both = { "Forwarded": "for=6.6.6.6", "X-Forwarded-For": "1.1.1.1" };
  assertEquals(await seen("::1", both), "1.1.1.1");
  assertEquals(await seenBy("::1", both), "6.6.6.6");
  assertEquals(await seen("::1", { Forwarded: "for=6.6.6.6" }), "::1");
  assertEquals(await seenBy("::1", { "X-Forwarded-For": "6.6.6.6" }), "::1");
});

Deno.test("HttpRequest.clientAddress + takes linear time in the length of the header", async () => {
  const lists = [
    `for=a${" ".repeat(200_000)}"x`,
    `${"for=10.0.0.2,".repeat(15_000)}`,
    `for=10.0.0.2;a="${"\\".repeat(100_000)}${'"'.repeat(100_000)}`,
    ",".repeat(200_000),
  ];
  for (const list of lists) {
    const start = performance.now();
    await seenBy("::1", { Forwarded: list });
    await seen("::1", { "X-Forwarded-For": list });
    assertLess(performance.now() - start, 5000);
  }
});

Deno.test("HttpRequest.clientAddress + reads no more of the header than it needs", async () => {
  const read: string[] = [];
  const proxies: Addresses = (address) => {
    read.push(address.text);
    return TRUSTED(address);
  };
  const Forwarded = "for=1.1.1.1, for=2.2.2.2, for=3.3.3.3";
  assertEquals(await seenBy("::1", { Forwarded }, proxies), "3.3.3.3");
  assertEquals(read, ["::1", "3.3.3.3"]);
});
