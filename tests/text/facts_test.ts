import { assertEquals } from "@std/assert";
import { factsOf } from "../../src/text/mod.ts";

Deno.test("factsOf + writes facts for people, without secrets, and never fails", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const facts = {
    plain: "a-b/c",
    blank: "a b",
    line: "a\nforged=1",
    quote: 'a"b',
    "a\nb": 1,
    number: 7,
    big: 10n,
    nothing: undefined,
    nested: { token: "s3cr3t", id: [1n] },
    password: "s3cr3t",
    error: new Error("elsewhere"),
    cyclic,
  };
  assertEquals(factsOf(facts), [
    "plain=a-b/c",
    'blank="a b"',
    'line="a\\nforged=1"',
    'quote="a\\"b"',
    "a\\u000ab=1",
    "number=7",
    'big="10"',
    "nothing=undefined",
    'nested={"id":["1"]}',
    "cyclic=…",
  ]);
});
