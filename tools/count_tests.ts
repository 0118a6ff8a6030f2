/**
 * Writes into `tests/expected_counts.json` how many tests `deno task test` and `deno task test:all` have by server and
 * runtime, without running them. Both commands fail where they find fewer.
 */
import { describeTally, tally } from "./_tally.ts";
import { testFiles } from "./_test_files.ts";
import { reportOf, SAMPLE, writeCounts } from "./_tests.ts";

for (const command of ["test", "test:all"] as const) {
  const isSample = command === "test";
  const files = await testFiles(["tests", "examples"], isSample);
  const { report, success, output } = await reportOf([
    "--parallel",
    ...(isSample ? SAMPLE : []),
    "--preload=tools/_register_only.ts",
    ...files.map(({ path }) => path),
  ], { env: isSample ? {} : { IRORI_TEST_ALL: "1" } });
  if (!success) {
    console.error(output);
    Deno.exit(1);
  }
  const found = tally(report);
  console.log(describeTally(found).join("\n"));
  await writeCounts(command, found);
}
