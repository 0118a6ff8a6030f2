import { type Counts, countsOf } from "./_counts.ts";
import { startServers } from "./_servers.ts";

/** What {@linkcode testWithServers} found. */
export interface TestRun {
  /** How the tests ended. */
  readonly counts: Counts;
  /** Why some servers could not be had. */
  readonly missing: readonly string[];
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
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    if (!signal.aborted) counts = await test(args, { ...env, ...servers.env }, signal);
  } finally {
    await servers[Symbol.asyncDispose]();
  }
  if (signal.aborted) Deno.exit(130);
  return { counts, missing: servers.missing };
}

async function test(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Counts> {
  const running = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...args],
    env: { ...env, ...(Deno.stdout.isTerminal() && { FORCE_COLOR: "1" }) },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    signal,
  }).spawn();
  let output = "";
  for await (const text of running.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    await Deno.stdout.write(new TextEncoder().encode(text));
  }
  const { success } = await running.status;
  const counts = countsOf(output);
  return !success && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Ends the process with the line that says how it went. */
export function finish({ counts, missing }: TestRun): never {
  for (const reason of missing) console.log(`not tested: ${reason}`);
  const { passed, skipped } = counts;
  let { failed } = counts;
  if (Deno.env.get("CI") === "true" && skipped > 0) {
    console.log(`${skipped} tests were skipped, which CI does not accept`);
    failed += skipped;
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  Deno.exit(failed === 0 ? 0 : 1);
}
