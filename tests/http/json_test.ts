import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseJson } from "../../src/http/json.ts";

Deno.test("parseJson() + reads whatever JSON holds", () => {
  fc.assert(fc.property(fc.json({ maxDepth: 5 }), (text) => {
    const expected = JSON.parse(text, (key, value) => key === "__proto__" ? undefined : value);
    assertEquals(parseJson(text), expected);
  }));
});

Deno.test("parseJson() + leaves out keys that would be prototypes, escaped ones too", () => {
  for (const key of ["__proto__", "\\u005f_proto__", "_\\u005F\\u0070roto__", "__pr\\u006fto__"]) {
    const value = parseJson(`{"a":[{"${key}":{"admin":true}}],"${key}":1}`);
    assertEquals(JSON.stringify(value), '{"a":[{}]}', key);
  }
  assertEquals(parseJson('{"a":"__proto__"}'), { a: "__proto__" });
});

Deno.test("parseJson() + refuses what is nested more than 1,000 levels deep", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  assertEquals(JSON.stringify(parseJson(nested(1000))), nested(1000));
  assertThrows(() => parseJson(nested(1001)), SyntaxError);
  assertThrows(() => parseJson("[".repeat(1_000_000)), SyntaxError);
  assertThrows(() => parseJson(nested(500_000)), SyntaxError, "more than 1000 levels");
  for (const open of ['{"a":', '{"__proto__":', '[1,{"a":']) {
    const close = open.startsWith("[") ? "}]" : "}";
    const depth = open.startsWith("[") ? 500 : 1000;
    parseJson(`${open.repeat(depth)}1${close.repeat(depth)}`);
    const deeper = `${open.repeat(depth + 1)}1${close.repeat(depth + 1)}`;
    assertThrows(() => parseJson(deeper), SyntaxError, "more than 1000 levels");
  }
  const text = JSON.stringify({ a: `\\"${"[".repeat(3000)}` });
  assertEquals(JSON.stringify(parseJson(text)), text);
});
