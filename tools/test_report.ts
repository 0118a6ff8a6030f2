/**
 * Prints what tests took, from reports of `deno task test --report FILE`: by folder, by server and runtime, the slowest
 * files and the slowest tests. Times are those of the clock. Processor time stands beside the budget of its folder, and a
 * folder of `deno task test` that is above it by half is a failure.
 *
 * - `--without-budgets`: no folder is a failure
 * - `--write-budgets`: writes what the folders took into `tests/budgets.json`; the reports have to be of all parts
 * - `--expect test` or `--expect test:all`: fails where all reports together have fewer tests of a server or a runtime
 *   than `tests/expected_counts.json` says
 */
import { parsed, refuse, reportArguments } from "./_arguments.ts";
import {
  aboveBudgets,
  describeFolders,
  folderOf,
  foldersIn,
  readBudgets,
  writeBudgets,
} from "./_budgets.ts";
import { reportShortfalls } from "./_finish.ts";
import { casesOf, merged, type TestCase } from "./_report.ts";
import { describeTally, GROUP_NAMES, isOf, tally } from "./_tally.ts";

const { files, top, expect, withoutBudgets, isWritten } = parsed(reportArguments);
const texts = files.map((file) => Deno.readTextFile(file));
const report = merged(await Promise.all(texts).catch((error) => refuse(error.message)));
const tests = casesOf(report);

print("by folder", groupedBy(({ path }) => folderOf(path)));
print(
  "by server and runtime",
  GROUP_NAMES.map((name) => [name, tests.filter(({ title }) => isOf(name, title))]),
);
print("slowest files", groupedBy(({ path }) => path).slice(0, top));
print(
  "slowest tests",
  tests.toSorted((one, other) => other.seconds - one.seconds).slice(0, top)
    .map((test) => [`${test.path} => ${test.title}`, [test]]),
);

let failed = 0;
const folders = foldersIn(report);
if (Object.keys(folders).length > 0) {
  if (isWritten) await writeBudgets(folders).catch((error) => refuse(error.message));
  const budgets = await readBudgets();
  console.log(["", ...describeFolders(folders, budgets)].join("\n"));
  for (const sentence of withoutBudgets ? [] : aboveBudgets(folders, budgets)) {
    console.log(`FAILED  ${sentence}`);
    failed++;
  }
}
if (expect !== undefined) {
  console.log(
    ["tests that ran, by server and runtime:", ...describeTally(tally(report))].join("\n"),
  );
  failed += await reportShortfalls(expect, report);
}
Deno.exit(failed === 0 ? 0 : 1);

function groupedBy(key: (test: TestCase) => string): [string, TestCase[]][] {
  const groups = Object.entries(Object.groupBy(tests, key)) as [string, TestCase[]][];
  return groups.sort(([, one], [, other]) => secondsOf(other) - secondsOf(one));
}

function print(heading: string, groups: readonly (readonly [string, readonly TestCase[]])[]): void {
  console.log(`\n${heading}:`);
  for (const [name, own] of groups) {
    const seconds = secondsOf(own).toFixed(1).padStart(8);
    console.log(`${seconds} s ${String(own.length).padStart(5)} tests  ${name}`);
  }
}

function secondsOf(own: readonly TestCase[]): number {
  return own.reduce((sum, { seconds }) => sum + seconds, 0);
}
