import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  compareCodePoints,
  listNotices,
  misleadingNumbers,
} from "../../../src/migrations/runner/mod.ts";

Deno.test("compareCodePoints orders by code point, not by UTF-16 unit or locale", () => {
  const sorted = ["\u{1F600}.json", "\uFF5E.json", "a/b.json", "a-b.json", "B.json", "a.json", "é"]
    .sort(compareCodePoints);
  assertEquals(sorted, [
    "B.json",
    "a-b.json",
    "a.json",
    "a/b.json",
    "é",
    "\uFF5E.json",
    "\u{1F600}.json",
  ]);
});

Deno.test("compareCodePoints agrees with comparing arrays of code points", () => {
  const text = fc.string({ unit: "binary", maxLength: 6 });
  fc.assert(fc.property(text, text, (a, b) => {
    assertEquals(Math.sign(compareCodePoints(a, b)), Math.sign(byCodePoints(a, b)));
  }));
});

function byCodePoints(a: string, b: string): number {
  const left = [...a].map((character) => character.codePointAt(0)!);
  const right = [...b].map((character) => character.codePointAt(0)!);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  }
  return left.length - right.length;
}

Deno.test("misleadingNumbers names what runs before a smaller number", () => {
  const warned = (...paths: string[]) =>
    misleadingNumbers(paths.sort(compareCodePoints).map((path) => ({ path }))).map(({ path }) =>
      path
    );
  assertEquals(warned("release-1/a", "release-2/a", "release-10/a"), ["release-10/a"]);
  assertEquals(warned("=24=7bx=7d.json", "=2e.json", "a=252=46b.json", "a=2bb.json"), []);
  assertEquals(warned("01.sql", "02.sql", "10.sql"), []);
  assertEquals(warned("1_a.sql", "2_a.sql", "10_a.sql", "20_a.sql"), [
    "10_a.sql",
    "20_a.sql",
  ]);
  assertEquals(warned("a1b", "a1c", "a01"), []);
  assertEquals(warned("v9.99999999999999999999", "v9.100000000000000000000"), [
    "v9.100000000000000000000",
  ]);
});

Deno.test("misleadingNumbers finds nothing where numbers have one length", () => {
  const number = fc.nat(9999).map((n) => String(n).padStart(4, "0"));
  const path = fc.tuple(fc.constantFrom("a", "b/", "-", "Z"), number).map(([a, b]) => a + b);
  fc.assert(fc.property(fc.array(path), (paths) => {
    assertEquals(misleadingNumbers(paths.sort(compareCodePoints).map((path) => ({ path }))), []);
  }));
});

Deno.test("listNotices names an order that is not that of the paths, once", () => {
  const by = "meta/_journal.json";
  const listed = [["0002_b.sql", 0], ["0001_a.sql", 1]] as const;
  const files = [
    ...listed.map(([path, place]) => ({ path, listed: { by, place, time: "1" } })),
    { path: "x/1.sql" },
  ];
  assertEquals(listNotices(files).map(({ path, message }) => `${path}: ${message}`), [
    "0002_b.sql: Runs in the order of 'meta/_journal.json', which is not that of the paths",
  ]);
  assertEquals(misleadingNumbers(files), []);
  assertEquals(listNotices(files.slice(1, 2)), []);
});
