import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { compareCodePoints } from "../../src/migrations/mod.ts";

Deno.test("compareCodePoints orders by code point, not by UTF-16 unit or locale", () => {
  const sorted = ["\u{1F600}.json", "\uFF5E.json", "a/b.json", "a-b.json", "B.json", "a.json", "é"]
    .sort(compareCodePoints);
  assertEquals(sorted, [
    "B.json",
    "a-b.json",
    "a.json",
    "a/b.json",
    "é",
    "\uFF5E.json",
    "\u{1F600}.json",
  ]);
});

Deno.test("compareCodePoints agrees with comparing arrays of code points", () => {
  const text = fc.string({ unit: "binary", maxLength: 6 });
  fc.assert(fc.property(text, text, (a, b) => {
    assertEquals(Math.sign(compareCodePoints(a, b)), Math.sign(byCodePoints(a, b)));
  }));
});

function byCodePoints(a: string, b: string): number {
  const left = [...a].map((character) => character.codePointAt(0)!);
  const right = [...b].map((character) => character.codePointAt(0)!);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  }
  return left.length - right.length;
}
