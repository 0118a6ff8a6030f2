import { dirname } from "@std/path";
import { describeFolders, readBudgets, withFolders } from "./_budgets.ts";
import { MEASURED } from "./_groups.ts";
import { withoutTests } from "./_only_in_all.ts";
import { secondsOf } from "./_processor_time.ts";
import { casesOf } from "./_report.ts";
import { describeSkipped } from "./_skipped.ts";
import { type Command, describeTally, EXPECTED_COUNTS, shortfalls, tally } from "./_tally.ts";
import type { TestRun } from "./_tests.ts";

/**
 * Ends the process with the line that counts the tests.
 *
 * @param command whose tests were all to run, so that fewer than expected are a failure
 */
export async function finish(
  { counts, missing, report, failures, seconds, folders }: TestRun,
  { command, budgetsOf, report: file, isWritten }: {
    readonly command?: Command;
    /** The command whose sample of the tests of a folder ran. */
    readonly budgetsOf?: Command;
    /** Where the report is written. */
    readonly report?: string;
    /** Whether to write the numbers that were found, in place of comparing them. */
    readonly isWritten?: boolean;
  } = {},
): Promise<never> {
  const { passed, skipped } = counts;
  let { failed } = counts;
  if (file !== undefined) {
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, budgetsOf ? withFolders(report, folders, budgetsOf) : report);
  }
  const found = tally(report);
  console.log(["tests that ran, by server and runtime:", ...describeTally(found)].join("\n"));
  await describeSeconds(seconds);
  if (budgetsOf === "test") {
    console.log(describeFolders(folders, await readBudgets()).join("\n"));
  }
  for (const line of describeSkipped(report)) console.log(line);
  for (const reason of missing) console.log(`not tested: ${reason}`);
  if (Deno.env.get("CI") === "true" && skipped + missing.length > 0) {
    console.log(
      `CI accepts neither skipped tests (${skipped}) nor missing servers (${missing.length})`,
    );
    failed += Math.max(skipped, missing.length);
  }
  if (command !== undefined && !isWritten) failed += await reportShortfalls(command, report);
  else if (command !== undefined && failed === 0) await writeCounts(command, found);
  else if (command !== undefined) console.log(`${EXPECTED_COUNTS} stays as it was: a test failed`);
  for (const { path, title, isFailed } of casesOf(report)) {
    if (isFailed) console.log(`FAILED  ${path} => ${title}`);
  }
  for (const failure of failures) console.log(failure);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  Deno.exit(failed === 0 ? 0 : 1);
}

/** Prints what the report of a whole run lacks. @returns how many sentences */
export async function reportShortfalls(command: Command, report: string): Promise<number> {
  const few = [...shortfalls(command, tally(report), (await expectedCounts())[command])];
  if (command === "test:all") {
    for (const { file, titles } of withoutTests(casesOf(report))) {
      few.push(`tools/_only_in_all.ts: no test of '${file}' matches ${titles ?? "its entry"}`);
    }
  }
  for (const sentence of few) console.log(`FAILED  ${sentence}`);
  return few.length;
}

/** Writes the numbers of a command into `tests/expected_counts.json`. */
export async function writeCounts(
  command: Command,
  found: ReturnType<typeof tally>,
): Promise<void> {
  const counts = Object.entries(found).map(([name, { ran, skipped }]) => [name, ran + skipped]);
  const all = { ...await expectedCounts(), [command]: Object.fromEntries(counts) };
  await Deno.writeTextFile(EXPECTED_COUNTS, JSON.stringify(all, undefined, 2) + "\n");
  console.log(`${EXPECTED_COUNTS} has the numbers of 'deno task ${command}'`);
}

async function expectedCounts(): Promise<Record<Command, Readonly<Record<string, number>>>> {
  return JSON.parse(await Deno.readTextFile(EXPECTED_COUNTS));
}

async function describeSeconds(seconds: Readonly<Record<string, number>>): Promise<void> {
  const own = await secondsOf("self");
  if (own === 0) return; // No `/proc`.
  const steps = Object.entries(seconds).filter(([name]) => !MEASURED.has(name));
  const servers = Object.entries(seconds).filter(([name]) => MEASURED.has(name));
  const sum = (times: typeof steps) => times.reduce((total, [, time]) => total + time, 0);
  const lines = [
    ...steps,
    ["checks, start of servers", own - sum(steps)] as const,
    ...servers,
    ["all", own + sum(servers)] as const,
  ];
  console.log("seconds of processor time:");
  for (const [name, time] of lines) console.log(`${time.toFixed(0).padStart(8)}  ${name}`);
}
