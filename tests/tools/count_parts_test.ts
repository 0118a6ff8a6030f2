import { assertEquals, assertLessOrEqual } from "@std/assert";
import { elevenParts, totalLines } from "../../tools/count_parts.ts";

Deno.test("docs/proofs/eleven-parts.md + has what 'count_parts.ts' counts, at most 200 lines", async () => {
  const kept = await Deno.readTextFile("docs/proofs/eleven-parts.md");
  const words = (text: string) => text.split(/[\s:-]+/);
  assertEquals(words(kept), words(elevenParts()));
  assertLessOrEqual(totalLines(), 200);
});
