import { assertLessOrEqual, assertMatch } from "@std/assert";
import { withoutFrontMatter } from "../../tools/docs/front_matter.ts";

Deno.test("README.md + is one screen: at most 700 words and 15 links", async () => {
  const readme = await Deno.readTextFile("README.md");
  assertLessOrEqual(wordsOf(readme), 700);
  assertLessOrEqual(readme.split("](").length - 1, 15);
});

Deno.test("docs/guide + has at most 80,000 words, and each page begins with what it is for", async () => {
  let words = 0;
  for (const { name } of Deno.readDirSync("docs/guide")) {
    const page = await Deno.readTextFile(`docs/guide/${name}`);
    words += wordsOf(page);
    assertMatch(withoutFrontMatter(page), /^# .+\n\n(?:[^\n|#`]|`[^`])/, name);
  }
  assertLessOrEqual(words, 80_000);
});

function wordsOf(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
