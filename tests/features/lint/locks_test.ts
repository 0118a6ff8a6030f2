import { assert, assertEquals } from "@std/assert";
import { expectedFinding, lockRows } from "./locks_table.ts";
import { ROWS, SETUP } from "./rows.ts";
import { loadParser } from "../../../src/features/lint/postgresql/tree.ts";
import { lint, rulesIn } from "./support.ts";

const rows = await lockRows();

Deno.test("every row of the measured table has its statement", () => {
  assertEquals(rows.map(({ label }) => label).sort(), Object.keys(ROWS).sort());
  assertEquals(rows.length, 128);
  // By columns: the required findings, the forbidden ones, and those of the server.
  const verdicts = rows.map((row) => expectedFinding(row));
  assertEquals(
    [true, false, undefined].map((verdict) => verdicts.filter((found) => found === verdict).length),
    [59, 67, 2],
  );
});

for (const row of rows) {
  const expected = expectedFinding(row);
  const verdict = expected === undefined
    ? "does not care for"
    : expected
    ? "finds"
    : "is silent about";
  Deno.test(`linting ${verdict} ${row.label}`, async () => {
    const [sql, before = ""] = ROWS[row.label]!;
    const head = row.isTransactional ? "" : "-- irori: no-transaction\n";
    const found = await rulesIn([SETUP + before, `${head}${sql};`]);
    if (expected === false) assertEquals(found, []);
    if (expected) assertEquals(found.length > 0, true, `Nothing is found in ${sql}`);
  });
}

Deno.test("the safe alternatives are valid statements", async () => {
  const parse = await loadParser();
  let count = 0;
  for (const { label } of rows) {
    const [sql, before = ""] = ROWS[label]!;
    const text = `-- irori: no-transaction\n${sql};`;
    for (const { advice = [], rule } of await lint({ "1.sql": SETUP + before, "2.sql": text })) {
      // Lines with a part that the reader fills in are no SQL.
      const lines = advice.filter((line) => line.startsWith("  ") && !/[…<]/.test(line));
      if (lines.every((line) => line.startsWith("  --"))) continue;
      count++;
      const statements = lines.join("\n").replaceAll("${irori.batch}", "(id > 1 AND id <= 2)");
      assert(parse(statements), `${rule}: ${statements}`);
    }
  }
  assert(count > 40);
});
