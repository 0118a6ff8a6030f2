import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { matches, overlap, PatternIndex } from "./double/patterns.ts";

const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 4 });

/** Every text of `a` and `b` with up to six letters: patterns of four have a common one among them, if any. */
const texts = [""];
for (const text of texts) if (text.length < 6) texts.push(`${text}a`, `${text}b`);

const fitting = (one: string) => {
  const expression = new RegExp(`^${one.replaceAll("*", ".*")}$`);
  return texts.filter((text) => expression.test(text));
};

Deno.test("overlap agrees with trying every short text", () => {
  fc.assert(fc.property(pattern, pattern, (a, b) => {
    const other = new Set(fitting(b));
    assertEquals(overlap(a, b), fitting(a).some((text) => other.has(text)));
  }));
});

Deno.test("matches agrees with a regular expression", () => {
  fc.assert(fc.property(pattern, fc.constantFrom(...texts), (one, text) => {
    assertEquals(matches(one, text), fitting(one).includes(text));
  }));
});

Deno.test("PatternIndex finds what comparing each pattern finds", () => {
  fc.assert(fc.property(fc.array(pattern, { maxLength: 20 }), pattern, (patterns, wanted) => {
    const index = new PatternIndex<number>();
    patterns.forEach((one, owner) => index.add(one, owner));
    patterns.forEach((one, owner) => owner % 3 === 0 && index.delete(one, owner));
    const expected = patterns.flatMap((one, owner) =>
      owner % 3 !== 0 && overlap(one, wanted) ? [owner] : []
    );
    assertEquals([...index.overlapping(wanted)].sort((a, b) => a - b), expected);
  }));
});
