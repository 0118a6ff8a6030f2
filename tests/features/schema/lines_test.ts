import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { differingLines } from "../../../src/features/schema/lines.ts";

Deno.test("differingLines gives what diff -u prints, without its head", async () => {
  const before = "a\nb\nc\nd\ne\n-\nf\ng\nh\ni\nj\n";
  assertEquals(await differingLines(before, before), []);
  assertEquals(await differingLines("", "a\n"), ["@@ -1,0 +1,1 @@", "+a"]);
  assertEquals(await differingLines(before, before.replace("b\n", "").replace("i\n", "I\nII\n")), [
    ...["@@ -1,5 +1,4 @@", " a", "-b", " c", " d", " e"],
    ...["@@ -7,5 +6,6 @@", " f", " g", " h", "-i", "+I", "+II", " j"],
  ]);
});

const TEXT = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 }).map((lines) =>
  lines.map((line) => `${line}\n`).join("")
);

Deno.test("differingLines: applied to the first text they give the second one", async () => {
  await fc.assert(fc.asyncProperty(TEXT, TEXT, async (before, after) => {
    const lines = await differingLines(before, after);
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

Deno.test("differingLines compares large texts that have nothing in common, and the event loop goes on", async () => {
  const lines = (name: string) =>
    Array.from({ length: 20_000 }, (_, i) => `${name}${i}\n`).join("");
  let turns = 0;
  const timer = setInterval(() => turns++);
  assertEquals((await differingLines(lines("a"), lines("b"))).length, 40_001);
  clearInterval(timer);
  assert(turns > 100, `${turns} turns`);
});
