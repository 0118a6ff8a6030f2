import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { MYSQL } from "../../../../src/migrations/sql/engines/mysql/grammar.ts";
import { POSTGRESQL } from "../../../../src/migrations/sql/engines/postgresql/grammar.ts";
import type { Grammar } from "../../../../src/migrations/sql/syntax/grammar.ts";
import { withoutValues } from "../../../../src/migrations/sql/syntax/without_values.ts";

const CASES: readonly (readonly [grammar: Grammar, text: string, shown: string])[] = [
  [POSTGRESQL, "SELECT * FROM a WHERE id = 42", "SELECT * FROM a WHERE id = ?"],
  [POSTGRESQL, "SELECT  1,\n  'it''s', b FROM a", "SELECT ?, ?, b FROM a"],
  [POSTGRESQL, "SELECT E'a\\'b', x", "SELECT ?, x"],
  [POSTGRESQL, "SELECT $$s3cr3t$$, $t$ $$ $t$, $1", "SELECT ?, ?, $?"],
  [POSTGRESQL, "SELECT 1.5e10, .5, 0x1F, -3", "SELECT ?, .?, ?, -?"],
  [POSTGRESQL, "SELECT B'01', X'ff', N'a', U&'b'", "SELECT B?, X?, N?, U&?"],
  [POSTGRESQL, 'SELECT "a b"."c" FROM "d"', 'SELECT "a b"."c" FROM "d"'],
  [POSTGRESQL, "/* s3cr3t */ SELECT /* /* */ s */ a -- s3cr3t\nFROM b", "SELECT a FROM b"],
  // The server may cut off a text in the middle of anything.
  [POSTGRESQL, "SELECT 's3cr", "SELECT ? …"],
  [POSTGRESQL, "SELECT a /* s3cr", "SELECT a"],
  [POSTGRESQL, "SELECT $a$ s3cr", "SELECT ? …"],
  // The session may have backslashes escape, or not: then the string goes on.
  [POSTGRESQL, "SELECT 'a\\', s3cr3t, '", "SELECT ? …"],
  [MYSQL, "SELECT 'a\\' s3cr3t '", "SELECT ? …"],
  [MYSQL, 'SELECT "s3cr3t", `a`, 0xFF, 1 # s3cr3t', "SELECT ?, `a`, ?, ?"],
  [MYSQL, "SELECT a--1", "SELECT a--?"],
  [MYSQL, "", ""],
];

for (const [grammar, text, shown] of CASES) {
  Deno.test(`withoutValues of ${grammar === MYSQL ? "mysql" : "postgresql"}: ${JSON.stringify(text)}`, () => {
    assertEquals(withoutValues(text, grammar), shown);
  });
}

Deno.test("withoutValues shows no value, however it is written and wherever the text is cut off", () => {
  const inside = fc.stringMatching(/^[ a-z;'"$\\/*-]{0,8}$/);
  const values: readonly ((text: string) => string)[] = [
    (text) => `'${text.replaceAll("'", "''")}'`,
    (text) => `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`,
    // A dollar sign in it could end the string.
    (text) => `$q$${text.replaceAll("$", "")}$q$`,
    (text) => `/* ${text.replaceAll(/[*/]/g, "")} */ 1`,
    (text) => `-- ${text}\n1`,
    () => "471147114711",
  ];
  const value = fc.tuple(inside, inside, fc.constantFrom(...values)).map((
    [before, behind, write],
  ) => write(`${before}471147114711${behind}`));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.nat(120), (parts, cut) => {
      const text = `SELECT ${parts.join(" , ")} FROM a`;
      for (const sent of [text, text.slice(0, cut)]) {
        const shown = withoutValues(sent, POSTGRESQL);
        assert(!shown.includes("4711"), `${sent} → ${shown}`);
      }
    }),
    { numRuns: 2000 },
  );
});
