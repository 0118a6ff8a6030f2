import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parsePattern } from "../../src/web/path/pattern.ts";
import { compareSpecificity } from "../../src/web/path/specificity.ts";

/** From the most to the least specific. */
const ORDERED = [
  "/a/b",
  "/a/{v}.long",
  "/a/{v}.x",
  "/a/*x",
  "/a/{v:\\d+}",
  "/a/{v}",
  "/a/*",
  "/a/**",
  "/{v}.x/b",
  "/{v}/b",
  "/{v}/{w}",
  "/*/b",
  "/**",
];

Deno.test("compareSpecificity() + puts text before variables before wildcards before the rest", () => {
  fc.assert(fc.property(fc.shuffledSubarray(ORDERED), (paths) => {
    const sorted = [...paths].sort((a, b) => compareSpecificity(parsePattern(a), parsePattern(b)));
    assertEquals(sorted, ORDERED.filter((path) => paths.includes(path)));
  }));
});

Deno.test("compareSpecificity() + is zero exactly for patterns that match the same paths", async (t) => {
  const cases: readonly (readonly [a: string, b: string, same: boolean])[] = [
    ["/users/{id}", "/users/{name}", true],
    ["/{a}/{b}", "/{b}/{a}", true],
    ["/{*a}", "/**", true],
    ["/{a:\\d+}", "/{b:\\d+}", true],
    ["/{a:\\d+}", "/{a:\\w+}", false],
    ["/users/{id}", "/users/*", false],
    ["/users", "/users/", false],
    ["/users/a", "/users/b", false],
  ];
  for (const [a, b, same] of cases) {
    await t.step(`${a} and ${b}`, () => {
      const order = compareSpecificity(parsePattern(a), parsePattern(b));
      assertEquals(order === 0, same);
      assertEquals(
        Math.sign(compareSpecificity(parsePattern(b), parsePattern(a))),
        -Math.sign(order) || 0,
      );
    });
  }
});
