import { assertEquals, assertThrows } from "@std/assert";
import { ADR_INDEX, adrIndex, adrPages, decisionOf } from "../../tools/adr_index.ts";

Deno.test("docs/adr/README.md lists every decision (`deno task adr` writes it)", async () => {
  const words = (text: string) => text.split(/\s+/);
  assertEquals(words(await Deno.readTextFile(ADR_INDEX)), words(adrIndex(await adrPages())));
});

Deno.test("the number of a decision is given once", async () => {
  const numbers = Array.from(await adrPages(), ([file, text]) => decisionOf(file, text).number);
  assertEquals(numbers, [...new Set(numbers)]);
});

Deno.test("decisionOf reads the head of a page, and says what it lacks", () => {
  const page =
    "# 7. A title\n\nStatus: accepted, 2026-11-22\n\nSubject: SQL\n\n## Context\n\n## Decision\n";
  assertEquals(decisionOf("0007-a-title.md", page), {
    file: "0007-a-title.md",
    number: 7,
    title: "A title",
    status: "accepted",
    subject: "SQL",
  });
  const table: [file: string, text: string, message: string][] = [
    ["0007-A.md", page, "its name is not '0123-what-it-is-of.md'"],
    ["0008-a.md", page, "its title has the number 7"],
    ["0007-a.md", page.replace("# 7.", "# 0007:"), "its first line is not '# 123. Title'"],
    [
      "0007-a.md",
      page.replace(", 2026-11-22", ""),
      "it has no line 'Status: accepted, 2026-11-22'",
    ],
    [
      "0007-a.md",
      page.replace("accepted", "done"),
      "it has no line 'Status: accepted, 2026-11-22'",
    ],
    ["0007-a.md", page.replace("SQL", "Sequel"), "it has no line 'Subject: Requests'"],
    ["0007-a.md", page.replace("## Context", "Context"), "it has no '## Context'"],
    ["0007-a.md", page.replace("## Decision", "## Decisions"), "it has no '## Decision'"],
  ];
  for (const [file, text, message] of table) {
    assertThrows(() => decisionOf(file, text), Error, `'${file}': ${message}`);
  }
});
