import { type Counts, countsOf } from "./_counts.ts";
import { startServers } from "./_servers.ts";
import { describeTally, shortfalls, tally } from "./_tally.ts";

/** Arguments of `deno test` for every test. */
export const ALL_TESTS: readonly string[] = ["--parallel", "tests", "examples"];

/** How many tests there are at least, by server and runtime: `deno task test:count` writes it. */
export const EXPECTED_COUNTS = "tests/expected_counts.json";

/** What {@linkcode testWithServers} found. */
export interface TestRun {
  /** How the tests ended. */
  readonly counts: Counts;
  /** Why some servers could not be had. */
  readonly missing: readonly string[];
  /** The report of `deno test`, as JUnit has it. */
  readonly report: string;
}

/**
 * Starts the servers, runs `meanwhile` beside that, then tests, and stops the servers however it ends.
 *
 * @param args of `deno test`
 * @param env on top of what names the servers
 */
export async function testWithServers(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  meanwhile: (signal: AbortSignal) => Promise<void> = () => Promise.resolve(),
): Promise<TestRun> {
  const note = (line: string) => console.log(`        ${line}`);
  // Servers are processes of their own: they have to end with this one, however it ends.
  const interruption = new AbortController();
  const { signal } = interruption;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    Deno.addSignalListener(name, () => interruption.abort());
  }
  const { pending, servers: starting } = startServers(note, signal);
  await meanwhile(signal);
  if (pending.size > 0) note(`waiting for ${[...pending].join(", ")} …`);
  const servers = await starting;
  let tested = { counts: { passed: 0, failed: 0, skipped: 0 }, report: "" };
  try {
    if (!signal.aborted) tested = await test(args, { ...env, ...servers.env }, signal);
  } finally {
    await servers[Symbol.asyncDispose]();
  }
  if (signal.aborted) Deno.exit(130);
  return { ...tested, missing: servers.missing };
}

async function test(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ counts: Counts; report: string }> {
  const { success, output, report } = await reportOf(args, {
    env: { ...env, ...(Deno.stdout.isTerminal() && { FORCE_COLOR: "1" }) },
    signal,
    onText: (text) => Deno.stdout.write(new TextEncoder().encode(text)),
  });
  if (!success && countsOf(output).failed === 0) {
    console.log("'deno test' was ended by the error above: tests that had not run yet are lost");
  }
  return { counts: countsOf(output, success), report };
}

/** Runs `deno test`. @returns what it printed, and its report, empty where it wrote none */
export async function reportOf(
  args: readonly string[],
  { onText, ...options }: Deno.CommandOptions & {
    readonly onText?: (text: string) => Promise<unknown>;
  } = {},
): Promise<{ readonly success: boolean; readonly output: string; readonly report: string }> {
  const file = await Deno.makeTempFile({ prefix: "irori-tests-", suffix: ".xml" });
  try {
    const running = new Deno.Command(Deno.execPath(), {
      ...options,
      args: ["test", "-A", "--no-check", `--junit-path=${file}`, ...args],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    let output = "";
    for await (const text of running.stdout.pipeThrough(new TextDecoderStream())) {
      output += text;
      await onText?.(text);
    }
    const { success } = await running.status;
    return { success, output, report: await Deno.readTextFile(file) };
  } finally {
    await Deno.remove(file);
  }
}

/**
 * Ends the process with the line that says how it went.
 *
 * @param isAll whether every test was to run, so that fewer than expected is a failure
 */
export async function finish({ counts, missing, report }: TestRun, isAll = false): Promise<never> {
  const { passed, skipped } = counts;
  let { failed } = counts;
  const found = tally(report);
  console.log(["tests that ran, by server and runtime:", ...describeTally(found)].join("\n"));
  for (const reason of missing) console.log(`not tested: ${reason}`);
  if (Deno.env.get("CI") === "true" && skipped + missing.length > 0) {
    console.log(
      `CI accepts neither skipped tests (${skipped}) nor missing servers (${missing.length})`,
    );
    failed += Math.max(skipped, missing.length);
  }
  if (isAll) {
    const few = shortfalls(found, JSON.parse(await Deno.readTextFile(EXPECTED_COUNTS)));
    for (const sentence of few) console.log(`FAILED  ${sentence}`);
    failed += few.length;
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  Deno.exit(failed === 0 ? 0 : 1);
}
