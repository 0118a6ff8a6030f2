import { assertEquals, assertThrows } from "@std/assert";
import { Page, Slice } from "../../../src/features/paging/mod.ts";

const asked = { page: 2, size: 2 };

Deno.test("Page + counts pages", () => {
  const table: [total: number | bigint, content: number[], elements: number, pages: number][] = [
    [0, [], 0, 0],
    [1, [], 1, 1],
    [2, [], 2, 1],
    [3, [1], 3, 2],
    [4, [1, 2], 4, 2],
    [5n, [1, 2], 5, 3],
    // Counted before the elements were there.
    [2, [1], 3, 2],
    [0, [1, 2], 4, 2],
  ];
  for (const [total, content, totalElements, totalPages] of table) {
    assertEquals(JSON.parse(JSON.stringify(new Page(content, asked, total))), {
      content,
      page: { size: 2, number: 2, totalElements, totalPages },
    });
  }
});

Deno.test("Page + refuses what is no count, such as the text that a driver gives", () => {
  const table: [total: unknown, found: string][] = [
    ["42", "a string"],
    [-1, "'-1'"],
    [1.5, "'1.5'"],
    [NaN, "'NaN'"],
    [undefined, "'undefined'"],
    [2n ** 60n, "'1152921504606846976'"],
  ];
  for (const [total, found] of table) {
    assertThrows(
      () => new Page([], asked, total as number),
      TypeError,
      `Cannot make a page: expected a whole number as the total, found ${found}`,
    );
  }
});

Deno.test("Page, Slice + refuse what is no list, no page that can be, and no answer", () => {
  const table: [make: (wrong: never) => unknown, wrong: unknown[], message: string][] = [
    [(wrong) => new Page(wrong, asked, 1), ["abc", new Set(), null], "expected a list of elements"],
    [(wrong) => new Slice(wrong, asked, true), ["abc", {}], "expected a list of elements"],
    [
      (wrong) => new Page([], { page: 1, size: wrong }, 1),
      [0, -1, 1.5, NaN, "5", null],
      "expected a requested size of at least 1",
    ],
    [
      (wrong) => new Slice([], { page: wrong, size: 1 }, true),
      [0, "1", undefined],
      "expected a requested page of at least 1",
    ],
    [(wrong) => new Page([], wrong, 1), [null, undefined, 5], "of at least 1"],
    [
      (wrong) => new Slice([], asked, wrong),
      ["yes", 1, null, undefined],
      "expected true or false as hasNext",
    ],
  ];
  for (const [make, wrong, message] of table) {
    for (const value of wrong) assertThrows(() => make(value as never), TypeError, message);
  }
});

Deno.test("map() + changes the elements and keeps the rest", () => {
  const page = new Page([3, 4], asked, 9).map(String);
  assertEquals(page.content, ["3", "4"]);
  assertEquals(page.page, new Page([3, 4], asked, 9).page);
  const slice = new Slice([3, 4], asked, true).map(String);
  assertEquals([slice.content, slice.page], [["3", "4"], { size: 2, number: 2, hasNext: true }]);
});
