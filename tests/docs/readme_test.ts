import { assertEquals, assertMatch } from "@std/assert";

Deno.test("README.md + is one screen: at most 700 words and 15 links", async () => {
  const readme = await Deno.readTextFile("README.md");
  assertEquals(readme.split(/\s+/).filter(Boolean).length <= 700, true);
  assertEquals(readme.split("](").length - 1 <= 15, true);
});

Deno.test("docs/guide + has at most 80,000 words, and each page begins with what it is for", async () => {
  let words = 0;
  for (const { name } of Deno.readDirSync("docs/guide")) {
    const page = await Deno.readTextFile(`docs/guide/${name}`);
    words += page.split(/\s+/).filter(Boolean).length;
    assertMatch(page, /^# .+\n\n(?:[^\n|#`]|`[^`])/m, name);
  }
  assertEquals(words <= 80_000, true, `${words}`);
});
