import { assertEquals } from "@std/assert";
import {
  contentOf,
  type FileContent,
  hasOtherSecrets,
  isSameContent,
} from "../../../src/migrations/runner/mod.ts";

const content = (hash: string, values?: string, secrets?: string): FileContent => ({
  hash,
  ...(values !== undefined && {
    values: { hash: values, ...(secrets !== undefined && { secrets }) },
  }),
});

const CASES: readonly (readonly [
  what: string,
  recorded: FileContent | undefined,
  file: FileContent,
  isSame: boolean,
  hasOtherSecrets: boolean,
])[] = [
  ["no record", undefined, content("a"), false, false],
  ["the same bytes", content("a"), content("a"), true, false],
  ["other bytes", content("b"), content("a"), false, false],
  ["the same values", content("a", "v"), content("a", "v"), true, false],
  ["other values", content("a", "w"), content("a", "v"), false, false],
  ["no values before", content("a"), content("a", "v"), false, false],
  ["no values any more", content("a", "v"), content("a"), false, false],
  ["the same secrets", content("a", "v", "0f"), content("a", "v", "0f"), true, false],
  ["other secrets", content("a", "v", "0e"), content("a", "v", "0f"), true, true],
  ["other secrets and values", content("a", "w", "0e"), content("a", "v", "0f"), false, false],
];

for (const [what, recorded, file, isSame, hasOther] of CASES) {
  Deno.test(`isSameContent and hasOtherSecrets: ${what}`, () => {
    assertEquals([isSameContent(recorded, file), hasOtherSecrets(recorded, file)], [
      isSame,
      hasOther,
    ]);
  });
}

Deno.test("contentOf keeps of values what records keep", () => {
  const values = { hash: "v", secrets: "0f", names: ["a"], secretNames: ["b"] };
  const file = { path: "1", location: "/1", hash: "a", values };
  assertEquals(contentOf(file), { hash: "a", values: { hash: "v", secrets: "0f" } });
  assertEquals(contentOf({ hash: "a" }), { hash: "a" });
});
