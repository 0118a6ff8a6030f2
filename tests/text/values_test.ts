import { assertEquals } from "@std/assert";
import { rememberLast } from "../../src/text/mod.ts";

Deno.test("rememberLast() + asks again only for another key, whatever the key and the value", () => {
  const asked: unknown[] = [];
  const known = rememberLast((key: string | undefined) => {
    asked.push(key);
    return key === "a" ? undefined : `${key}`;
  });
  const keys = [undefined, undefined, "a", "a", "b", undefined];
  assertEquals(keys.map(known), ["undefined", "undefined", undefined, undefined, "b", "undefined"]);
  assertEquals(asked, [undefined, "a", "b", undefined]);
});
