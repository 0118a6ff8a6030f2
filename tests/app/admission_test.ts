import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { admission } from "../../src/app/server/admission.ts";
import { originalOf } from "../../src/http/mod.ts";

/** A request as servers give it: `fetch` does not allow to set these fields. */
function request(
  { url = "http://h/a", method = "GET", host = "h" as string | null } = {},
): Request {
  const headers = { get: (name: string) => name === "host" ? host : null };
  return { url, method, headers } as unknown as Request;
}

const statusOf = (admitted: Request | Response) =>
  admitted instanceof Response ? admitted.status : 0;

Deno.test("admission() + lets a request through whose host is one, or that has none", () => {
  const admit = admission();
  for (
    const host of [
      "h",
      "h:8080",
      "h:",
      "a.b-c_d.example.",
      "127.0.0.1:80",
      "[::1]",
      "[::1]:1",
      null,
    ]
  ) {
    const one = request({ host });
    assertStrictEquals(admit(one), one);
  }
});

Deno.test("admission() + gives what came without a host a URL, and knows it still", () => {
  const one = new Request("http://h/a");
  Object.defineProperty(one, "url", { value: "/a?b" });
  const admitted = admission()(one) as Request;
  assertEquals(admitted.url, "http://localhost/a?b");
  assertStrictEquals(originalOf(admitted), one);
});

Deno.test("admission() + refuses a host that would be more than that in a URL", () => {
  const admit = admission();
  fc.assert(fc.property(
    fc.oneof(fc.string(), fc.stringMatching(/^[a-c.:[\]/@?#%0-9]{0,12}$/)),
    (host) => {
      const status = statusOf(admit(request({ host })));
      if (status === 400) return;
      assertEquals(status, 0);
      const url = new URL(`http://${host}/path`);
      assertEquals([url.pathname, url.username, url.search, url.hash], ["/path", "", "", ""]);
    },
  ));
});

Deno.test("admission() + compares with the last host that was let through", () => {
  const admit = admission();
  const hosts = ["h", "h", "h/x", "h", "h/x", "", ""];
  assertEquals(hosts.map((host) => statusOf(admit(request({ host })))), [
    0,
    0,
    400,
    0,
    400,
    400,
    400,
  ]);
});

Deno.test("admission() + answers what is asked of the server itself", async () => {
  const admit = admission();
  const options = admit(request({ method: "OPTIONS", url: "http://h/*" })) as Response;
  assertEquals(options.status, 204);
  assertEquals(options.headers.get("allow"), "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  const connect = admit(request({ method: "CONNECT", url: "http://h:80" })) as Response;
  assertEquals([connect.status, await connect.json()], [
    501,
    { type: "about:blank", title: "Not Implemented", status: 501 },
  ]);
  for (const url of ["http://h/a/*", "http://h/*?a", "http://h/?/*"]) {
    assertEquals(statusOf(admit(request({ method: "OPTIONS", url }))), 0);
  }
});

Deno.test("admission() + completes the URL of a request that has no host to make one of", () => {
  const admitted = admission()(
    Object.defineProperty(new Request("http://h/a?b"), "url", { value: "/a?b" }),
  ) as Request;
  assertEquals(admitted.url, "http://localhost/a?b");
});

Deno.test("admission() + answers CONNECT, whose target is no URL", () => {
  const admit = admission();
  assertEquals(statusOf(admit(request({ url: "127.0.0.1:80", method: "CONNECT" }))), 501);
  assertEquals(statusOf(admit(request({ url: "h", method: "CONNECT", host: null }))), 501);
});
