import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { spellCheck } from "../../tools/spell_check.ts";

Deno.test("spellCheck names words of a page that are not British English, and none of its code", async () => {
  const folder = await Deno.makeTempDir({ prefix: "irori-spelling-" });
  try {
    const page = join(folder, "page.md");
    const code = "`qwrtz` in a sentence, [a licence](qwrtz.md).\n\n```ts\nconst qwrtz = 1;\n```\n";
    await Deno.writeTextFile(page, `The behaviour of ${code}`);
    assertEquals(await spellCheck(folder), { ok: true, output: "" });
    await Deno.writeTextFile(page, `The behavior of ${code}\nRecieved.\n`);
    const { ok, output } = await spellCheck(folder);
    assertEquals(ok, false);
    assertStringIncludes(output, "page.md:1:5 - Forbidden word (behavior) fix: (behaviour)");
    assertStringIncludes(output, "page.md:7:1 - Unknown word (Recieved)");
    assertEquals(output.match(/ - /g)?.length, 2, output);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
