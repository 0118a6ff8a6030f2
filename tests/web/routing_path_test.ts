import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { MALFORMED_PATH, routingPath } from "../../src/web/path/routing_path.ts";

Deno.test("routingPath() + decodes segments and keeps slashes and percent signs encoded", async (t) => {
  const cases: readonly (readonly [url: string, path: string])[] = [
    ["http://h", "/"],
    ["http://h/", "/"],
    ["http://h/a/b", "/a/b"],
    ["http://h:80/a/", "/a/"],
    ["http://h/a?b=/c", "/a"],
    ["http://h/a#b", "/a"],
    ["http://h/a#b?c", "/a"],
    ["http://h/?a=b/c", "/"],
    ["http://u:p@h/a", "/a"],
    ["http://[::1]:80/a", "/a"],
    ["http://h/%61%20b", "/a b"],
    ["http://h/caf%C3%A9", "/café"],
    ["http://h/a%2Fb", "/a%2Fb"],
    ["http://h/a%2fb", "/a%2Fb"],
    ["http://h/100%25", "/100%25"],
    ["http://h/%252F", "/%252F"],
    ["http://h/a%3Fb%23c", "/a?b#c"],
    ["http://h//a", "//a"],
    ["http://h/%", MALFORMED_PATH],
    ["http://h/a/%zz", MALFORMED_PATH],
    ["http://h/%C3", MALFORMED_PATH],
    ["http://h/%ED%A0%80", MALFORMED_PATH],
    ["http://h/a?b=%zz", "/a"],
  ];
  for (const [url, path] of cases) {
    await t.step(url, () => assertEquals(routingPath({ url: new URL(url).href } as Request), path));
  }
});

Deno.test("routingPath() + resolves dot segments, which not every runtime does", async (t) => {
  const cases: readonly (readonly [url: string, path: string])[] = [
    ["http://h/a/../b", "/b"],
    ["http://h/a/./b/.", "/a/b/"],
    ["http://h/a/b/..", "/a/"],
    ["http://h/a/%2e%2E/b", "/b"],
    ["http://h/a/.%2e/b", "/b"],
    ["http://h/../../b", "/b"],
    ["http://h/a/../b?c=/../d", "/b"],
    ["http://h/a\\..\\b", "/b"],
    ["http://h/a/.well-known/..b/c..", "/a/.well-known/..b/c.."],
    ["http://h/a/%252e%252e/b", "/a/%252e%252e/b"],
    ["http://h/a%2F..%2Fb", "/a%2F..%2Fb"],
  ];
  for (const [url, path] of cases) {
    await t.step(url, () => assertEquals(routingPath({ url } as Request), path));
  }
});

Deno.test("routingPath() + is the path of the URL, decoded by segment", () => {
  const piece = fc.constantFrom("/", ".", "..", "%2e", "%2E", "a", "%2F", "%25", "%61", "\\", "é");
  fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
    const url = `http://h/${pieces.join("")}`;
    const normal = { url: new URL(url).href } as Request;
    assertEquals(routingPath({ url } as Request), routingPath(normal));
  }));
});
