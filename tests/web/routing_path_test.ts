import { assertEquals } from "@std/assert";
import { MALFORMED_PATH, routingPath } from "../../src/web/routing_path.ts";

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
