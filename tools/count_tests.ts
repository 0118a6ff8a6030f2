/**
 * Writes into `tests/expected_counts.json` how many tests there are by server and runtime, without running them. The test
 * command fails where it finds fewer.
 */
import { ALL_TESTS, EXPECTED_COUNTS, reportOf } from "./_tests.ts";
import { describeTally, tally } from "./_tally.ts";

const { report, success, output } = await reportOf([
  "--preload=tools/_register_only.ts",
  ...ALL_TESTS,
]);
if (!success) {
  console.error(output);
  Deno.exit(1);
}
const found = tally(report);
const counts = Object.entries(found).map(([name, { ran, skipped }]) => [name, ran + skipped]);
await Deno.writeTextFile(
  EXPECTED_COUNTS,
  JSON.stringify(Object.fromEntries(counts), undefined, 2) + "\n",
);
console.log(describeTally(found).join("\n"));
