import { assertEquals } from "@std/assert";
import { type Counts, countsOf } from "../../tools/_counts.ts";

Deno.test("countsOf reads the summary of 'deno test'", () => {
  const table: [summary: string, counts: Counts][] = [
    ["ok | 3 passed | 0 failed (5ms)", { passed: 3, failed: 0, skipped: 0 }],
    ["ok | 3 passed (2 steps) | 0 failed | 2 ignored (5ms)", { passed: 3, failed: 0, skipped: 2 }],
    [
      "FAILED | 2 passed (1 step) | 4 failed (1 step) | 1 ignored (1 step) (136ms)",
      { passed: 2, failed: 4, skipped: 2 },
    ],
    ["ok | 1 passed | 0 failed | 7 filtered out (1s)", { passed: 1, failed: 0, skipped: 0 }],
    ["error: Module not found", { passed: 0, failed: 1, skipped: 0 }],
  ];
  for (const [summary, counts] of table) assertEquals(countsOf(`a ... ok\n\n${summary}\n`), counts);
});

Deno.test("countsOf takes the last summary and sees through colours", () => {
  const output =
    "ok | 9 passed | 0 failed (1ms)\n\u001b[0m\u001b[32mok\u001b[0m | 3 passed | 1 failed (5ms)\n";
  assertEquals(countsOf(output), { passed: 3, failed: 1, skipped: 0 });
});
