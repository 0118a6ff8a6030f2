import { assertEquals } from "@std/assert";
import { excerpt, printable } from "../../src/text/mod.ts";

const TEXT = "a\tb\x1b[31mc\x1b[2Jd\r\ne\rf\x9b1m";

Deno.test("printable() shows every control character as text", () => {
  assertEquals(
    printable(TEXT),
    "a\\u0009b\\u001b[31mc\\u001b[2Jd\\u000d\\u000ae\\u000df\\u009b1m",
  );
});

Deno.test("excerpt() shows control characters as text, with the caret below its character", () => {
  assertEquals(excerpt({ line: 7, column: 6, source: "\tx\x1b[1my" }), [
    "  7 | \tx\\u001b[1my",
    "    | \t         ^",
  ]);
});
