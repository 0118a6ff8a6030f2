import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { DocumentKey } from "../../../src/features/reindex/documents.ts";
import { KeySet, partOf } from "../../../src/features/reindex/keys.ts";

const keys = fc.record({
  id: fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.string({ unit: "grapheme", maxLength: 5 }),
    fc.constant("1:a"),
  ),
  routing: fc.option(fc.oneof(fc.string({ maxLength: 3 }), fc.constant("")), { nil: undefined }),
}).map(({ id, routing }): DocumentKey => routing === undefined ? { id } : { id, routing });

const textOf = ({ id, routing }: DocumentKey) => JSON.stringify([id, routing ?? null]);

Deno.test("KeySet does what a set of keys and one of marks do", () => {
  const actions = fc.array(fc.tuple(fc.constantFrom("add", "mark", "remove", "unmark"), keys), {
    maxLength: 200,
  });
  fc.assert(fc.property(actions, (steps) => {
    const set = new KeySet();
    const model = new Map<string, { key: DocumentKey; marked: boolean }>();
    for (const [action, key] of steps) {
      const known = model.get(textOf(key));
      if (action === "add") {
        set.add(key);
        // To add what is there takes its mark.
        model.set(textOf(key), { key, marked: false });
      } else if (action === "mark") {
        assertEquals(set.mark(key), known !== undefined);
        if (known) known.marked = true;
      } else if (action === "remove") {
        set.remove(key);
        model.delete(textOf(key));
      } else {
        set.unmarkAll();
        for (const entry of model.values()) entry.marked = false;
      }
    }
    const wanted = [...model.values()].filter(({ marked }) => !marked).map(({ key }) =>
      textOf(key)
    );
    assertEquals([...set.unmarked()].map(textOf).toSorted(), wanted.toSorted());
  }));
});

Deno.test("KeySet holds many keys", () => {
  const set = new KeySet();
  for (let number = 0; number < 100_000; number++) set.add({ id: `order-${number}` });
  for (let number = 0; number < 100_000; number += 2) {
    assertEquals(set.mark({ id: `order-${number}` }), true);
  }
  assertEquals(set.mark({ id: "order-x" }), false);
  assertEquals([...set.unmarked()].length, 50_000);
});

Deno.test("partOf() puts every key into one part", () => {
  const counts = [0, 0, 0];
  for (let number = 0; number < 3000; number++) counts[partOf({ id: `k${number}` }, 3)]!++;
  assertEquals(counts.every((count) => count > 800), true);
});
