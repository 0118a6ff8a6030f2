import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { moved, splitScript } from "../../../src/migrations/sql/engines/shared/parts.ts";
import { DatabaseError } from "../../../src/migrations/sql/mod.ts";
import { POSTGRESQL } from "../../../src/migrations/sql/engines/postgresql/grammar.ts";
import { split } from "../../../src/migrations/sql/syntax/splitter.ts";

const SETTING = "SET standard_conforming_strings = off";

Deno.test("partsOf keeps statements whole, and ends a part where strings end in another way", () => {
  const statement = fc.constantFrom(
    "SELECT 1",
    "SELECT ';'",
    SETTING,
    "-- a;\nSELECT 22222222",
    "",
  );
  fc.assert(
    fc.property(fc.array(statement), fc.integer({ min: 1, max: 60 }), (statements, length) => {
      const text = statements.join(";\n");
      const found = split(text, POSTGRESQL);
      const script = {
        text,
        locate: () => ({ line: 1, column: 1, source: "" }),
        original: () => "",
      };
      const parts = splitScript({ script, ...found }, length);
      assertEquals(parts.map((part) => part.text).join(""), text);
      for (const [index, { text: part, start, statements: before }] of parts.entries()) {
        assertEquals(text.slice(start, start + part.length), part);
        const end = parts[index + 1]?.statements ?? found.statements.length;
        const inside = found.statements.slice(before, end);
        for (const { start: from, end: to } of inside) {
          assert(from >= start && to <= start + part.length);
        }
        const size = (inside.at(-1)?.end ?? start) - start;
        assert(size <= length || inside.length <= 1, `${size}`);
        const turns = found.turns.filter((turn) => turn >= before && turn < end - 1);
        assertEquals(turns, []);
      }
    }),
  );
});

Deno.test("moved gives an error the place that it has in the whole", () => {
  const error = new DatabaseError("refused", "no", { offset: 3, completed: 1, code: "42P01" });
  const { offset, completed, code } = moved(error, {
    start: 10,
    statements: 5,
  }) as DatabaseError;
  assertEquals([offset, completed, code], [13, 6, "42P01"]);
});
