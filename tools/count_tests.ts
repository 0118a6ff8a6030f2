/**
 * Writes into `tests/expected_counts.json` how many tests `deno task test` and `deno task test:all` have by server and
 * runtime, without running them. Both commands fail where they find fewer.
 */
import { writeCounts } from "./_finish.ts";
import { pack } from "./_pack.ts";
import { describeTally, tally } from "./_tally.ts";
import { testFiles } from "./_test_files.ts";
import { reportOf, SAMPLE } from "./_tests.ts";

// Some files install the package when they are loaded.
await using packed = await pack(console.error);
for (const command of ["test", "test:all"] as const) {
  const isSample = command === "test";
  const files = await testFiles(["tests", "examples"], isSample);
  const { report, success, output } = await reportOf([
    "--parallel",
    ...(isSample ? SAMPLE : []),
    "--preload=tools/_register_only.ts",
    ...files.map(({ path }) => path),
  ], { env: { ...packed.env, ...(isSample ? {} : { IRORI_TEST_ALL: "1" }) } });
  if (!success) {
    throw new Error(output);
  }
  const found = tally(report);
  console.log(describeTally(found).join("\n"));
  await writeCounts(command, found);
}
