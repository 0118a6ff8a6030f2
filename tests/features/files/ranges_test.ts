import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Span, spansOf } from "../../../src/features/files/ranges.ts";

/** The positions that a `Range` asks for, one by one: as simple as RFC 9110, 14.1.2 has it. */
function positions(ranges: readonly (readonly [string, string])[], size: number): Set<number> {
  const found = new Set<number>();
  for (const [first, last] of ranges) {
    for (let at = 0; at < size; at++) {
      const isIn = first === ""
        ? at >= size - Number(last)
        : at >= Number(first) && (last === "" || at <= Number(last));
      if (isIn) found.add(at);
    }
  }
  return found;
}

const number = fc.nat({ max: 40 });
const range = fc.oneof(
  fc.tuple(number, number).map(([a, b]) => [`${Math.min(a, b)}`, `${Math.max(a, b)}`] as const),
  number.map((first) => [`${first}`, ""] as const),
  number.map((last) => ["", `${last}`] as const),
);

Deno.test("spansOf() + covers each byte that is asked for once, and no other", () => {
  const ranges = fc.array(range, { minLength: 1, maxLength: 16 });
  fc.assert(fc.property(ranges, fc.integer({ min: 1, max: 30 }), (ranges, size) => {
    const text = `bytes=${ranges.map(([first, last]) => `${first}-${last}`).join(", ")}`;
    const spans = spansOf(text, size);
    assert(spans !== undefined);
    const bytes = spans.flatMap(({ start, end }) => {
      assert(start <= end);
      return Array.from({ length: end - start + 1 }, (_, index) => start + index);
    });
    assertEquals(
      bytes.toSorted((a, b) => a - b),
      [...positions(ranges, size)].sort((a, b) => a - b),
    );
    for (const one of spans) assertEquals(spans.filter((other) => touches(one, other)), [one]);
  }));
});

Deno.test("spansOf() + takes any text for a list of spans, or ignores it", () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[-\d, ]*$/));
  fc.assert(fc.property(texts, fc.nat(), (text, size) => {
    for (const { start, end } of spansOf(text, size) ?? []) {
      assert(0 <= start && start <= end && end < size);
    }
  }));
});

Deno.test("spansOf() + takes time that is linear in the length", () => {
  for (
    const text of [
      "bytes=" + "0-0,".repeat(1e5),
      `bytes=${"1".repeat(1e6)}`,
      "bytes=" + " ".repeat(1e6),
    ]
  ) {
    const start = performance.now();
    spansOf(text, 10);
    assert(performance.now() - start < 3000);
  }
});

function touches(a: Span, b: Span): boolean {
  return a.start <= b.end + 1 && b.start <= a.end + 1;
}
