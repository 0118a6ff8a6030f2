import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { patternOf } from "../../src/text/mod.ts";

Deno.test("patternOf() + reads expressions that were written without the flag of Unicode", () => {
  const cases: [pattern: string, fits: string, fitsNot: string][] = [
    ["^[\\w-.]+$", "a-b.c", "a b"],
    ["^[.-\\w]+$", "a-b.c", "a b"],
    ["^\\w+\\-\\d$", "a-1", "a1"],
    ["^\\@\\_\\%$", "@_%", "\\@"],
    ["^{a}$", "{a}", "a"],
    ["^a{2}]$", "aa]", "aaa]"],
    ["^[\\-\\]\\a]$", "a", "b"],
    ["^\\p{Lu}$", "Ä", "ä"],
  ];
  for (const [pattern, fits, fitsNot] of cases) {
    const expression = patternOf(pattern);
    assertEquals([expression?.unicode, expression?.test(fits)], [true, true], pattern);
    assertEquals(expression?.test(fitsNot), false, pattern);
  }
  assertEquals(patternOf("(?=a)*b")?.unicode, false);
  assertEquals(patternOf("("), undefined);
});

Deno.test("patternOf() + says of a text what the expression says without the flag", () => {
  const piece = fc.constantFrom(
    "a",
    "\\-",
    "[\\w-.]",
    "\\@",
    "]",
    "{",
    "x{1}",
    "\\d",
    "[^\\d-]",
    ".",
  );
  let compared = 0;
  fc.assert(fc.property(
    fc.array(piece, { minLength: 1 }),
    fc.array(fc.constantFrom("a", "-", "@", "]", "{", "x", "1", "b")),
    (pieces, letters) => {
      const pattern = `^${pieces.join("")}$`, text = letters.join("");
      let expected: boolean;
      try {
        expected = new RegExp(pattern).test(text);
      } catch {
        return;
      }
      assertEquals(patternOf(pattern)?.test(text), expected, pattern);
      compared++;
    },
  ));
  assertEquals(compared > 10, true, `${compared}`);
});
