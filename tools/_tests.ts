import { dirname, join } from "@std/path";
import {
  describeFolders,
  readBudgets,
  type Seconds,
  splitSeconds,
  withFolders,
} from "./_budgets.ts";
import { type Counts, countsOf } from "./_counts.ts";
import { metered, secondsOf } from "./_processor_time.ts";
import { runSteps, type Step } from "./_run.ts";
import { SERVER_NAMES, startServers } from "./_servers.ts";
import { describeSkipped } from "./_skipped.ts";
import { describeTally, shortfalls, tally } from "./_tally.ts";
import { casesOf, merged, withFiles } from "./_report.ts";
import { temporaryFolder } from "./_temporary_folder.ts";
import type { Need, TestFile } from "./_test_files.ts";
import { withoutTests } from "./_only_in_all.ts";

/** The least number of tests by command, server and runtime: `deno task test:count` writes it. */
export const EXPECTED_COUNTS = "tests/expected_counts.json";

/** The commands that run all of their tests. */
export type Command = "test" | "test:all";

/** Arguments of `deno test` that leave out what belongs to `deno task test:all`. */
export const SAMPLE: readonly string[] = ["--preload=tools/_sample.ts"];

/** What {@linkcode runTests} runs. */
export interface Run {
  readonly files: readonly TestFile[];
  /** Arguments of `deno test` beside the files. */
  readonly flags: readonly string[];
  /** Variables beside those that name the servers. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether tests other than the contract run on old clusters, too. */
  readonly isAll: boolean;
  /** What is checked beside the tests. */
  readonly checks: readonly Step[];
}

/** The result of {@linkcode runTests}. */
export interface TestRun {
  readonly counts: Counts;
  /** Why some servers could not be had. */
  readonly missing: readonly string[];
  /** The report of `deno test` in JUnit's format. */
  readonly report: string;
  /** What failed checks printed. */
  readonly failures: readonly string[];
  /** Seconds of processor time by step. */
  readonly seconds: Seconds;
  /** The same by folder of tests. */
  readonly folders: Seconds;
}

const NONE: Tested = { counts: { passed: 0, failed: 0, skipped: 0 }, report: "" };

/**
 * Runs checks and tests. Tests without servers run while the servers start and the package is built, checks run beside
 * both. Stops the servers however it ends.
 */
export async function runTests(run: Run): Promise<TestRun> {
  const folder = await temporaryFolder();
  try {
    const done = await runAll(run);
    if (done !== undefined) return done;
  } finally {
    await folder[Symbol.asyncDispose]();
  }
  Deno.exit(130);
}

/** @returns nothing when it was interrupted */
async function runAll({ files, flags, env, isAll, checks }: Run): Promise<TestRun | undefined> {
  const note = (line: string) => console.log(`        ${line}`);
  // Servers are processes of their own: they have to end with this one, however it ends.
  const interruption = new AbortController();
  const { signal } = interruption;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    Deno.addSignalListener(name, () => interruption.abort());
  }
  const needs = new Set<Need>(files.flatMap((file) => [...file.needs]));
  const { pending, servers: starting } = startServers(note, signal, { needs, isAll });
  const seconds: Record<string, number> = {};
  const packing = needs.has("package") ? pack(note, seconds) : undefined;
  const checking = runSteps(checks, signal);
  const timed = async (name: string, chosen: readonly TestFile[], more: Record<string, string>) => {
    if (chosen.length === 0 || signal.aborted) return NONE;
    const args = [...flags, ...chosen.map(({ path }) => path)];
    const own = { DENO_JOBS: "2", DENO_V8_FLAGS: V8_FLAGS, ...more, ...env };
    return await test(name, args, own, signal, seconds);
  };
  const alone = await timed(
    ALONE,
    files.filter((file) => file.needs.size === 0),
    {},
  );
  const isOver = flags.includes("--fail-fast") && alone.counts.failed > 0;
  if (pending.size > 0) note(`waiting for ${[...pending].join(", ")} …`);
  const servers = await starting;
  const packed = await packing;
  let served = NONE;
  try {
    const named = { ...servers.env, ...packed?.env };
    const left = isOver ? [] : files.filter((file) => file.needs.size > 0);
    served = await timed(SERVED, left, {
      // Many of these wait for a lease or a lock: three files at once keep two cores busy.
      DENO_JOBS: "3",
      ...named,
    });
    for (const [name, time] of Object.entries(await servers.processorTime())) seconds[name] = time;
  } finally {
    await servers[Symbol.asyncDispose]();
    await packed?.[Symbol.asyncDispose]();
  }
  const { passed, failed, failures } = await checking;
  if (signal.aborted) return undefined;
  const parts = [{ passed, failed, skipped: 0 }, alone.counts, served.counts];
  const sum = (of: keyof Counts) => parts.reduce((total, counts) => total + counts[of], 0);
  return {
    counts: { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") },
    missing: servers.missing,
    report: merged([alone.report, served.report]),
    failures,
    seconds,
    folders: splitSeconds({ [ALONE]: alone.report, [SERVED]: served.report }, seconds),
  };
}

const ALONE = "tests without servers";
const SERVED = "tests with servers";

/** The packed library, and a folder where each set of packages is installed once for all tests. */
export interface Packed extends AsyncDisposable {
  /** The variables that name both to the tests. */
  readonly env: Record<string, string>;
}

/** Builds the package once for all tests. */
export async function pack(
  note: (line: string) => void,
  seconds: Record<string, number> = {},
): Promise<Packed> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-package-" }));
  const env: Record<string, string> = { IRORI_TEST_INSTALLS: join(folder, "installs") };
  const started = performance.now();
  const building = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/build_npm.ts", folder],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [{ success, stdout, stderr }, time] = await Promise.all([
    building.output(),
    metered(building.pid, building.status),
  ]);
  seconds["npm package"] = time;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  // Without it each test builds the package, and fails with the reason.
  if (success) env.IRORI_TEST_TARBALL = text(stdout).split("\n").at(-1)!;
  const ms = performance.now() - started;
  note(success ? `the npm package is built (${(ms / 1000).toFixed(0)} s)` : text(stderr));
  return {
    env,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** PGlite runs for seconds in a test: compiling it quickly saves 1.6 s of 4 s of processor time for each start. */
const V8_FLAGS = "--liftoff-only";

interface Tested {
  readonly counts: Counts;
  readonly report: string;
}

async function test(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
  seconds: Record<string, number>,
): Promise<Tested> {
  const started = performance.now();
  const { success, output, report, time } = await reportOf(args, {
    env: { ...env, ...(Deno.stdout.isTerminal() && { FORCE_COLOR: "1" }) },
    signal,
    onText: (text) => Deno.stdout.write(new TextEncoder().encode(text)),
  });
  seconds[name] = time;
  console.log(`        ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (!success && countsOf(output).failed === 0) {
    console.log("'deno test' was ended by the error above: tests that had not run yet are lost");
  }
  return { counts: countsOf(output, success), report };
}

/** Runs `deno test`. @returns its output, its report, empty where it wrote none, and its seconds of processor time */
export async function reportOf(
  args: readonly string[],
  { onText, ...options }: Deno.CommandOptions & {
    readonly onText?: (text: string) => Promise<unknown>;
  } = {},
): Promise<
  {
    readonly success: boolean;
    readonly output: string;
    readonly report: string;
    readonly time: number;
  }
> {
  const file = await Deno.makeTempFile({ prefix: "irori-tests-", suffix: ".xml" });
  try {
    const running = new Deno.Command(Deno.execPath(), {
      ...options,
      args: ["test", "-A", "--no-check", `--junit-path=${file}`, ...args],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const metering = metered(running.pid, running.status);
    let output = "";
    for await (const text of running.stdout.pipeThrough(new TextDecoderStream())) {
      output += text;
      await onText?.(text);
    }
    const { success } = await running.status;
    const report = withFiles(await Deno.readTextFile(file), output);
    return { success, output, report, time: await metering };
  } finally {
    await Deno.remove(file);
  }
}

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
  if (command !== undefined && isWritten) await writeCounts(command, found);
  else if (command !== undefined) failed += await reportShortfalls(command, report);
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
  const steps = Object.entries(seconds).filter(([name]) => !SERVER_NAMES.includes(name));
  const servers = Object.entries(seconds).filter(([name]) => SERVER_NAMES.includes(name));
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
