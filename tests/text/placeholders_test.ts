import { assertEquals } from "@std/assert";
import { closingBrace, nextOpening } from "../../src/text/mod.ts";

const OPENINGS: readonly (readonly [string, number, ReturnType<typeof nextOpening>])[] = [
  ["a $b {c}", 0, undefined],
  ["a ${b}", 0, { start: 2, content: 4, isEscaped: false }],
  ["a $${b}", 0, { start: 2, content: 5, isEscaped: true }],
  ["$$${b}", 0, { start: 1, content: 4, isEscaped: true }],
  // A text that was read before escapes nothing.
  ["$${b}", 1, { start: 1, content: 3, isEscaped: false }],
];

Deno.test("nextOpening finds where a placeholder starts, and whether it is escaped", () => {
  for (const [text, from, expected] of OPENINGS) {
    assertEquals(nextOpening(text, from), expected, text);
  }
});

Deno.test("closingBrace finds the brace that closes a placeholder, others inside of it left out", () => {
  for (
    const [text, expected] of [
      ["${a}", 3],
      ["${a:${b}}", 8],
      ["${a:${b}", -1],
      ["${a:$${b}}", 9],
      ["${a:$${b}", -1],
      ['${a:{"b":{}}}}', 12],
      ["${a:{}", -1],
    ] as const
  ) {
    assertEquals(closingBrace(text, 2), expected, text);
  }
});
