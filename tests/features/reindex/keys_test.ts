import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type DocumentKey, keyOf, keyText } from "../../../src/features/reindex/documents.ts";
import { partOf } from "../../../src/features/reindex/key_comparison.ts";

const keys = fc.record({
  id: fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.string({ unit: "grapheme", maxLength: 5 }),
    fc.constant("1:a"),
  ),
  routing: fc.option(fc.oneof(fc.string({ maxLength: 3 }), fc.constant("")), { nil: undefined }),
}).map(({ id, routing }): DocumentKey => routing === undefined ? { id } : { id, routing });

Deno.test("keyText() tells all keys apart, and keyOf() gives them back", () => {
  fc.assert(fc.property(keys, keys, (one, other) => {
    assertEquals(keyOf(keyText(one)), one);
    assertEquals(
      keyText(one) === keyText(other),
      one.id === other.id && one.routing === other.routing,
    );
  }));
});

Deno.test("partOf() puts every key into one part", () => {
  const counts = [0, 0, 0];
  for (let number = 0; number < 3000; number++) counts[partOf({ id: `k${number}` }, 3)]!++;
  assertEquals(counts.every((count) => count > 800), true);
});
