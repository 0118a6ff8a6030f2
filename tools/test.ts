/** `deno task test` and `deno task test:all`: the checks and the tests, with real servers. `--help` lists the options. */
import { HELP, parsed, refuse, testArguments } from "./_arguments.ts";
import { changedTests } from "./_changed.ts";
import { CHECKS } from "./_checks.ts";
import { finish } from "./_finish.ts";
import { withoutNeeds } from "./_groups.ts";
import { shardOf, testFiles } from "./_test_files.ts";
import { runTests, SAMPLE } from "./_tests.ts";

if (Deno.args.some((arg) => arg === "--help" || arg === "-h")) {
  console.log(HELP);
  Deno.exit();
}
const { command, paths, part, shard, changed, filter, ...given } = parsed(testArguments);
for (const path of paths) {
  const isThere = await Deno.stat(path).then(() => true, () => false);
  if (!isThere) refuse(`No test runs: '${path}' is neither a file nor a folder`);
}
const isChanged = changed !== undefined;
const isSample = command === "test" && paths.length === 0;
const all = part === "checks"
  ? []
  : await testFiles(paths.length > 0 ? paths : ["tests", "examples"], isSample).catch((error) =>
    refuse(`The imports of the tests cannot be followed: ${error.message}`)
  );
const ofPart = part === undefined ? all : all.filter((file) => file.part === part);
const isEmpty = (shard === undefined ? ofPart : shardOf(ofPart, shard)).length === 0;
if (part !== "checks" && isEmpty) {
  refuse(`No test runs: '${Deno.args.join(" ")}' names no file of tests`);
}
const { reached, unasked } = isChanged
  ? await changedTests(changed || undefined, ofPart, given.isList)
    .catch((error) => refuse(error.message))
  : { reached: ofPart, unasked: [] };
if (given.isList) {
  if (!isChanged) { for (const { path } of reached) console.log(path); }
  Deno.exit();
}
const { files, env } = withoutNeeds(reached, new Map([...unasked, ...given.leftOut]));
const run = await runTests({
  files: shard === undefined ? files : shardOf(files, shard),
  flags: ["--parallel", ...(isSample ? SAMPLE : []), ...given.flags],
  env: { ...env, ...(command === "test:all" && { IRORI_TEST_ALL: "1" }) },
  isAll: command === "test:all",
  checks: isChanged || paths.length > 0 || (part !== undefined && part !== "checks") ? [] : CHECKS,
});
if (filter !== undefined && Object.values(run.counts).every((count) => count === 0)) {
  refuse(`No test ran: none of these has '${filter}' in its title`);
}
await finish(run, {
  ...(given.isWhole && { command }),
  ...(given.isOfWhole && { budgetsOf: command }),
  report: given.report,
  isWritten: given.isWritten,
});
