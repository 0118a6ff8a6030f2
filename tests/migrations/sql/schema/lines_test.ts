import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { differingLines } from "../../../../src/migrations/sql/schema/lines.ts";

Deno.test("differingLines gives what diff -u prints, without its head", () => {
  const before = "a\nb\nc\nd\ne\n-\nf\ng\nh\ni\nj\n";
  assertEquals(differingLines(before, before), []);
  assertEquals(differingLines("", "a\n"), ["@@ -1,0 +1,1 @@", "+a"]);
  assertEquals(differingLines(before, before.replace("b\n", "").replace("i\n", "I\nII\n")), [
    ...["@@ -1,5 +1,4 @@", " a", "-b", " c", " d", " e"],
    ...["@@ -7,5 +6,6 @@", " f", " g", " h", "-i", "+I", "+II", " j"],
  ]);
});

const TEXT = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 }).map((lines) =>
  lines.map((line) => `${line}\n`).join("")
);

Deno.test("differingLines: applied to the first text they give the second one", () => {
  fc.assert(fc.property(TEXT, TEXT, (before, after) => {
    const lines = differingLines(before, after);
    assertEquals(lines.length === 0, before === after);
    const result: string[] = [];
    const rest = before.split("\n").slice(0, -1);
    let at = 0;
    for (const line of lines) {
      const start = /^@@ -(\d+),/.exec(line)?.[1];
      if (start !== undefined) {
        while (at < Number(start) - 1) result.push(rest[at++]!);
      } else if (line.startsWith("+")) {
        result.push(line.slice(1));
      } else {
        assertEquals(line.slice(1), rest[at++]);
        if (line.startsWith(" ")) result.push(line.slice(1));
      }
    }
    result.push(...rest.slice(at));
    assertEquals(result.map((line) => `${line}\n`).join(""), after);
  }));
});

Deno.test("differingLines compares large texts that have nothing in common, in no time", () => {
  const lines = (name: string) =>
    Array.from({ length: 20_000 }, (_, i) => `${name}${i}\n`).join("");
  assert(differingLines(lines("a"), lines("b")).length === 40_001);
});
