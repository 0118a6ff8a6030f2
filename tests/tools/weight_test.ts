import { assertEquals } from "@std/assert";
import { countsOf, LIMITS, readBounds, totals, weigh } from "../../tools/weight.ts";

/** A bound may lie so many lines above what was measured before it has to be lowered. */
const SLACK = 40;

const weight = await weigh();
const { sizes, counts } = await readBounds();

Deno.test("src + weighs no more than its bounds", () => {
  const over = Object.entries(weight.sizes).flatMap(([part, size]) =>
    Object.entries(size).flatMap(([what, measured]) => {
      const bound = sizes[part]?.[what as keyof typeof size] ?? 0;
      return measured > bound ? [`${part}: ${measured} ${what}, at most ${bound}`] : [];
    })
  );
  const many = Object.entries(countsOf(weight)).flatMap(([what, measured]) => {
    const bound = counts[what] ?? 0;
    return measured > bound ? [`${what}: ${measured}, at most ${bound}`] : [];
  });
  assertEquals([...over, ...many], [], "The rules in CONTRIBUTING.md say how room is made");
});

Deno.test("src + has bounds that fall with it: `deno task weight --lower`", () => {
  const loose = Object.entries(sizes).flatMap(([part, bound]) => {
    const { codeLines = 0, statements = 0 } = weight.sizes[part] ?? {};
    const isLoose = bound.codeLines - codeLines > SLACK || bound.statements - statements > SLACK;
    return isLoose
      ? [`${part}: ${JSON.stringify(bound)}, measured ${codeLines}, ${statements}`]
      : [];
  });
  const measured = countsOf(weight);
  const many = Object.entries(counts).flatMap(([what, bound]) => {
    const found = measured[what] ?? 0;
    const slack = what === "commentLines" ? SLACK : 0;
    return bound - found > slack ? [`${what}: ${bound}, measured ${found}`] : [];
  });
  assertEquals([...loose, ...many], []);
  const over = Object.entries(totals(sizes)).flatMap(([sum, bound]) => {
    const limit = LIMITS[sum as keyof typeof LIMITS];
    return bound > limit ? [`${sum}: bounds of ${bound} code lines, at most ${limit}`] : [];
  });
  assertEquals(over, [], "More than LIMITS in tools/weight.ts allow");
});
