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

Deno.test("countsOf does not believe a summary of a command that failed", () => {
  const counts = { passed: 7, failed: 1, skipped: 0 };
  assertEquals(countsOf("ok | 7 passed | 0 failed (1s)\n", false), counts);
  assertEquals(countsOf("FAILED | 7 passed | 1 failed (1s)\n", false), counts);
});

Deno.test("countsOf counts a failure where an error between two tests ends the run, which says 'ok'", async () => {
  const folder = await Deno.makeTempDir();
  try {
    // The rejection comes after its test has passed, and before the next test begins.
    await Deno.writeTextFile(
      `${folder}/a_test.ts`,
      `Deno.test("one", () => void setTimeout(() => Promise.reject(new Error("late")), 0));
       Deno.test("two", () => {});`,
    );
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--no-config", `${folder}/a_test.ts`],
      stdin: "null",
    }).output();
    const output = new TextDecoder().decode(stdout);
    assertEquals([success, countsOf(output, success).failed > 0], [false, true]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
