import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { decodeQueryValue, eachPair, parseQuery } from "../../src/web/bind/query.ts";

Deno.test("parseQuery() + takes names and values apart", async (t) => {
  const cases: readonly (readonly [url: string, query: Record<string, string | string[]>])[] = [
    ["http://h/", {}],
    ["http://h/?", {}],
    ["http://h/?a", { a: "" }],
    ["http://h/?a=", { a: "" }],
    ["http://h/?=b", { "": "b" }],
    ["http://h/?a=1&b=2", { a: "1", b: "2" }],
    ["http://h/?a=1&=b&c", { a: "1", "": "b", c: "" }],
    ["http://h/?a=1&&b=2&", { a: "1", b: "2" }],
    ["http://h/?a=1=2", { a: "1=2" }],
    ["http://h/?a=1&a=2&a=", { a: ["1", "2", ""] }],
    ["http://h/?a=%20+", { a: "%20+" }],
    ["http://h/?a%20b=1", { "a b": "1" }],
    ["http://h/?a+b=1", { "a b": "1" }],
    ["http://h/?%zz=1", { "%zz": "1" }],
    ["http://h/?a=1?b=2", { a: "1?b=2" }],
    ["http://h/?a=1#b=2", { a: "1" }],
    ["http://h/?__proto__=1&constructor=2", { ["__proto__"]: "1", constructor: "2" }],
  ];
  for (const [url, query] of cases) {
    await t.step(url, () => assertEquals([...parseQuery(url)], Object.entries(query)));
  }
});

function pairsOf(text: string): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  eachPair(text, 0, text.length, (name, value) => pairs.push([name, value]));
  return pairs;
}

Deno.test("eachPair() + takes a text apart that begins with '='", () => {
  assertEquals(pairsOf("=b&c=d&=&e"), [["", "b"], ["c", "d"], ["", ""], ["e", ""]]);
});

Deno.test("eachPair() + looks for each '=' once, however many names come before it", () => {
  class Text extends String {
    searches = 0;
    override indexOf(sought: string, from?: number): number {
      if (sought === "=") this.searches++;
      return super.indexOf(sought, from);
    }
  }
  for (const [end, searches] of [["", 1], ["z=1", 1], ["y=1&z=1&a&b", 3]] as const) {
    const text = new Text("a&".repeat(1000) + end);
    assertEquals(pairsOf(text as unknown as string).length, 1000 + end.split("&").length - +!end);
    assertEquals(text.searches, searches, end);
  }
});

Deno.test("decodeQueryValue() + decodes plus signs and percent-encoding, and refuses malformed", () => {
  assertEquals(decodeQueryValue("a+b%2B%C3%A9"), "a b+é");
  for (const text of ["%", "%zz", "%C3", "%80"]) {
    assertThrows(() => decodeQueryValue(text), URIError);
  }
});

Deno.test("parseQuery() + agrees with URLSearchParams on whatever that writes", () => {
  const pairs = fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })));
  fc.assert(fc.property(pairs, (pairs) => {
    const query = parseQuery(`http://h/?${new URLSearchParams(pairs)}`);
    for (const [name] of pairs) {
      const values = [query.get(name) ?? []].flat().map(decodeQueryValue);
      assertEquals(values, pairs.filter(([other]) => other === name).map(([, value]) => value));
    }
  }));
});
