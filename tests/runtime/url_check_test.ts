import { assertEquals } from "@std/assert";
import { urlCheck } from "../../src/runtime/deno/url_check.ts";

Deno.test("urlCheck() + lets through what is a URL, whichever was before it", () => {
  const isUrl = urlCheck();
  for (
    const url of [
      ...["http://h/a", "http://h:abc/a", "http://h/b", "http:///h/a", "http:///:a/"],
      ...["http://\\\\h/a", "http://i/a", "http://i:99999/", "127.0.0.1:80", "http://i/%zz"],
    ]
  ) assertEquals(isUrl(url), URL.canParse(url), url);
});
