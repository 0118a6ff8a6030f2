/** The errors of `troubleshooting.md` are those of the library. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Block } from "../../tools/docs/blocks.ts";
import { assertShown } from "./steps.ts";
import { PRODUCED } from "./troubleshooting_cases.ts";

const PAGE = await Deno.readTextFile("docs/guide/troubleshooting.md");

/** Messages that a test cannot cause, because they need a server or another time: their text in the source. */
const STATED: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "Waited for another run": [
    "src/migrations/sql/journal/journal_table.ts",
    "Waited ${seconds} s for another run",
  ],
  "The statement got no lock in": [
    "src/migrations/sql/execute/lock_tries.ts",
    "The statement got no lock in ${tries} attempts: ",
  ],
  "An earlier run stopped in": [
    "src/migrations/runner/plan.ts",
    "An earlier run stopped in ${subject}: ",
  ],
  "D1's API answered": [
    "src/migrations/sql/engines/d1/remote.ts",
    "D1's API answered ${status}: ${message} (${code})",
  ],
  "D1's API gave no answer": [
    "src/migrations/sql/engines/d1/remote.ts",
    "D1's API gave no answer: ",
  ],
  "Which was not made for it by this file": [
    "src/features/reindex/refusals.ts",
    "'${name}' is an alias of '${index}', which was not made for it by this file: name the file after the index, ",
  ],
};

/** A section: what is printed, and the exit code that it names. */
interface Section {
  readonly title: string;
  readonly text: string;
  readonly code?: string;
}

const SECTIONS = PAGE.split("\n### ").slice(1).map((section): Section => {
  const [, text = ""] = /^```text\n([^]*?)^```$/m.exec(section) ?? [];
  const [, code] = /Exit\s+code\s+(\d+)/.exec(section) ?? [];
  return { title: section.slice(0, section.indexOf("\n")), text: text.trim(), code };
});

Deno.test("troubleshooting.md + every section is produced or stated in the source", () => {
  const titles = [...Object.keys(PRODUCED), ...Object.keys(STATED)];
  assertEquals(SECTIONS.map(({ title }) => title).sort(), titles.sort());
  assert(SECTIONS.length >= 40);
});

for (const { title, text, code } of SECTIONS) {
  const produce = PRODUCED[title];
  Deno.test(`troubleshooting.md + ${title}`, async () => {
    if (produce === undefined) {
      const [file, literal] = STATED[title]!;
      assertStringIncludes(await Deno.readTextFile(file), literal);
      const shown = literal.split(/\$\{\w+\}/).map(RegExp.escape).join(".+").trimEnd();
      assertMatch(text, new RegExp(`^${shown}`));
      return;
    }
    const [, printed = "", exit] = /^([^]*?)\s*(?:exit code (\d+))?$/.exec(await produce()) ?? [];
    const block: Block = { place: title, language: "text", isIgnored: false, code: text };
    assertShown(block, printed);
    if (code !== undefined || exit !== "0") assertEquals(exit, code);
  });
}
