import { assert } from "@std/assert";
import fc from "fast-check";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { ROWS } from "./rows.ts";
import { lint } from "./support.ts";

const statement = fc.constantFrom(...Object.values(ROWS).map(([sql]) => sql));
const operand = fc.constantFrom(
  ...["a", "a.b", '"a"', "`a`", "'x'", "'x y'", "E'x'", "$$x$$", "1", "NULL", "$1", "?", "(a)", ""],
);
const test = fc.constantFrom("IS NOT NULL", "IS NULL", "= 1", "= a", "", "IN (1)", ") (");
/** `DELETE` and `UPDATE` whose condition is made of a few words, sensible or not. */
const conditional = fc.tuple(
  fc.constantFrom("DELETE FROM t WHERE", "UPDATE t SET a = 1 WHERE", "DELETE FROM ONLY t WHERE"),
  fc.array(
    fc.tuple(fc.constantFrom("", "NOT", "EXISTS (SELECT", "("), operand, test),
    { minLength: 1, maxLength: 3 },
  ),
  fc.constantFrom(" AND ", " OR "),
).map(([head, terms, joint]) => `${head} ${terms.map((term) => term.join(" ")).join(joint)}`);
const piece = fc.oneof(
  statement,
  conditional,
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.replaceAll("\0", "")),
  fc.constantFrom(
    "/* ä😀 */",
    "-- x\r\n",
    "'ä'",
    '"ö😀"',
    "$$ b $$",
    "${x}",
    "\ufeff",
    ",",
    "(",
    ")",
  ),
  fc.tuple(statement, fc.nat(60)).map(([sql, length]) => sql.slice(0, length)),
);
const text = fc.array(fc.tuple(piece, fc.constantFrom(";", ";\n", " ", "")), { maxLength: 8 })
  .map((parts) => parts.flat().join(""));

for (const kind of ["postgresql", "mysql", "sqlite"] as const) {
  Deno.test(`linting any text for ${kind} never fails, and its places are in the file`, async () => {
    await fc.assert(
      fc.asyncProperty(text, async (sql) => {
        const problems = await lint({ "a.sql": sql }, { kind }).catch((error) => {
          if (error instanceof InvalidFilesError) return error.problems;
          throw error;
        });
        // A byte order mark at the start is none of its characters.
        const lines = sql.replace(/^\ufeff/, "").split(/\r\n|\r|\n/).map((line) =>
          Array.from(line).length
        );
        for (const { line = 1, column = 1, rule } of problems) {
          const length = lines[line - 1];
          assert(
            length !== undefined && column >= 1 && column <= length + 1,
            `${rule} ${line}:${column}`,
          );
        }
      }),
      { numRuns: 300 },
    );
  });
}
