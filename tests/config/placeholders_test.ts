import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { fill } from "../../src/config/config.ts";
import { PlaceholderError } from "../../src/text/mod.ts";

const VALUES: Readonly<Record<string, string>> = { A: "1", EMPTY: "", "a.b[0]": "x", RAW: "${A}" };

const CASES: readonly (readonly [text: string, filled: string])[] = [
  ["", ""],
  ["plain", "plain"],
  ["${A}", "1"],
  ["${ A }", "1"],
  ["<${A}${A}>", "<11>"],
  ["${a.b[0]}", "x"],
  ["${EMPTY}", ""],
  ["${EMPTY:2}", ""],
  ["${A:2}", "1"],
  ["${B:2}", "2"],
  ["${B:}", ""],
  ["${B: 2 }", " 2 "],
  ["${B:http://h:1}", "http://h:1"],
  ["${B:${A}}", "1"],
  ["${B:${C:${A}-}}", "1-"],
  ["${RAW}", "${A}"],
  ["$${A}", "${A}"],
  ["$${", "${"],
  ["$$${A}", "$${A}"],
  ["$A {A} $", "$A {A} $"],
  ["cost: 5$", "cost: 5$"],
];

Deno.test("fill puts in what a name stands for, or its default", () => {
  for (const [text, expected] of CASES) {
    assertEquals(fill(text, (name) => VALUES[name]), expected, text);
  }
});

Deno.test("fill refuses what has neither text nor default, and what has no end", () => {
  for (const text of ["${B}", "${}", "${B:${C}}", "${A", "a ${A:${B}", "$${A} ${"]) {
    assertThrows(() => fill(text, (name) => VALUES[name]), PlaceholderError, "Cannot fill", text);
  }
});

Deno.test("fill gives what was escaped as it was", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."${}:aA ") }), (text) => {
    const escaped = text.replaceAll("${", () => "$${");
    assertEquals(fill(escaped, () => "wrong"), text);
  }));
});
