import { type Seconds, splitSeconds } from "./_budgets.ts";
import { type Counts, countsOf } from "./_counts.ts";
import type { Need } from "./_groups.ts";
import { pack } from "./_pack.ts";
import { metered } from "./_processor_time.ts";
import { merged, withFiles } from "./_report.ts";
import { runSteps, type Step } from "./_run.ts";
import { startServers } from "./_servers.ts";
import type { TestFile } from "./_test_files.ts";

/** Arguments of `deno test` that leave out what belongs to `deno task test:all`. */
export const SAMPLE: readonly string[] = ["--preload=tools/_sample.ts"];

/** The run of {@linkcode runTests}. */
interface Run {
  readonly files: readonly TestFile[];
  /** Arguments of `deno test` beside the files. */
  readonly flags: readonly string[];
  /** Variables beside those that name the servers. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether tests other than the contract run on old clusters, too. */
  readonly isAll: boolean;
  /** Checks that run beside the tests. */
  readonly checks: readonly Step[];
}

/** The result of {@linkcode runTests}. */
export interface TestRun {
  readonly counts: Counts;
  /** Why some servers could not be had. */
  readonly missing: readonly string[];
  /** The report of `deno test` in JUnit's format. */
  readonly report: string;
  /** The output of failed checks. */
  readonly failures: readonly string[];
  /** Seconds of processor time by step. */
  readonly seconds: Seconds;
  /** The same by folder of tests. */
  readonly folders: Seconds;
}

const NONE: Tested = { counts: { passed: 0, failed: 0, skipped: 0 }, report: "" };

/** Signals that end a run, with the code of a process that they end. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs checks and tests. Tests without servers run while the servers start and the package is built, checks run beside
 * both. Stops the servers however it ends; a signal then ends the process.
 */
export async function runTests(run: Run): Promise<TestRun> {
  const interruption = new AbortController();
  for (const [name, code] of Object.entries(SIGNALS)) {
    Deno.addSignalListener(name as keyof typeof SIGNALS, () => interruption.abort(code));
  }
  const { signal } = interruption;
  const done = await runUntil(signal, run);
  if (signal.aborted) Deno.exit(signal.reason);
  return done;
}

async function runUntil(
  signal: AbortSignal,
  { files, flags, env, isAll, checks }: Run,
): Promise<TestRun> {
  await using stack = new AsyncDisposableStack();
  const end = new AbortController();
  const ended = AbortSignal.any([signal, end.signal]);
  const needs = new Set<Need>(files.flatMap((file) => [...file.needs]));
  // Servers are processes of their own: they have to end with this one, however it ends.
  const { pending, servers: starting } = startServers(note, ended, { needs, isAll });
  stack.defer(async () => await (await starting)[Symbol.asyncDispose]());
  const packing = needs.has("package") ? pack(note, ended) : undefined;
  stack.defer(async () => await (await packing)?.[Symbol.asyncDispose]());
  stack.defer(() => end.abort());
  const checking = runSteps(checks, signal);
  const seconds: Record<string, number> = {};
  const jobs = Deno.env.get("DENO_JOBS");
  const given = jobs ? { DENO_JOBS: jobs } : {};
  const timed = async (name: string, chosen: readonly TestFile[], more: Record<string, string>) => {
    if (chosen.length === 0 || signal.aborted) return NONE;
    const args = [...flags, ...chosen.map(({ path }) => path)];
    // How many files run at once may be given.
    const own = { DENO_JOBS: "2", DENO_V8_FLAGS: V8_FLAGS, ...more, ...env, ...given };
    return await test(name, args, own, signal, seconds);
  };
  const alone = await timed(ALONE, files.filter((file) => file.needs.size === 0), {});
  const isOver = flags.includes("--fail-fast") && alone.counts.failed > 0;
  if (isOver) end.abort();
  else if (pending.size > 0) note(`waiting for ${[...pending].join(", ")} …`);
  const servers = await starting;
  const packed = await packing;
  const served = await timed(
    SERVED,
    isOver ? [] : files.filter((file) => file.needs.size > 0),
    // Many of these wait for a lease or a lock: three files at once keep two cores busy.
    { DENO_JOBS: "3", ...servers.env, ...packed?.env },
  );
  Object.assign(seconds, packed?.seconds, await servers.processorTime());
  const { passed, failed, failures } = await checking;
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

function note(line: string): void {
  console.log(`        ${line}`);
}

const ALONE = "tests without servers";
const SERVED = "tests with servers";

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
    // Nothing may read the output any more.
    onText: (text) => Deno.stdout.write(new TextEncoder().encode(text)).catch(() => {}),
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
