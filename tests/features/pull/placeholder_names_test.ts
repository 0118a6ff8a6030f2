import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { placeholderName } from "../../../src/features/pull/written_file.ts";

const CASES: readonly (readonly [name: string, expected: string])[] = [
  ["ada", "USER_ADA_PASSWORD"],
  ["log-reader-2", "USER_LOG_READER_2_PASSWORD"],
  ["log_reader", "USER_LOG__READER_PASSWORD"],
  ["ada.l", "USER_ADA_L___09576FFD_PASSWORD"],
];

for (const [name, expected] of CASES) {
  Deno.test(`placeholderName: '${name}'`, () => {
    assertEquals(placeholderName("USER", name, "PASSWORD"), expected);
  });
}

Deno.test("placeholderName tells apart all names, and is one of an environment variable", () => {
  const name = fc.string({
    unit: fc.constantFrom("a", "b", "A", "-", "_", ".", "é", "/", "0"),
    minLength: 1,
    maxLength: 7,
  });
  fc.assert(
    fc.property(name, name, (a, b) => {
      const [one, other] = [a, b].map((name) => placeholderName("USER", name, "PASSWORD"));
      assertMatch(one!, /^USER_[A-Z\d_]+_PASSWORD$/);
      assert(a === b || one !== other);
    }),
    { numRuns: 2000 },
  );
});
