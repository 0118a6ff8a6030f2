/**
 * Everything: the checks, and every test with real servers. Arguments are passed on to `deno test`.
 *
 * The last line says `N passed, N failed, N skipped`.
 */
import { type Counts, countsOf } from "./_counts.ts";
import { runSteps } from "./_run.ts";
import { type Servers, startServers } from "./_servers.ts";
import { CHECKS } from "./checks.ts";

const note = (line: string) => console.log(`        ${line}`);
// Servers are processes of their own: they have to end with this one, however it ends.
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.addSignalListener(signal, () => interruption.abort());
}

const { pending, servers: starting } = startServers(note, interruption.signal);
const checks = await runSteps(CHECKS, interruption.signal);
if (pending.size > 0) note(`waiting for ${[...pending].join(", ")} …`);
const servers = await starting;
let tests: Counts = { passed: 0, failed: 0, skipped: 0 };
try {
  if (!interruption.signal.aborted) tests = await runTests(servers, interruption.signal);
} finally {
  await servers[Symbol.asyncDispose]();
}
if (interruption.signal.aborted) Deno.exit(130);

for (const reason of servers.missing) console.log(`not tested: ${reason}`);
const passed = checks.passed + tests.passed;
let failed = checks.failed + tests.failed;
if (Deno.env.get("CI") === "true" && tests.skipped > 0) {
  console.log(`${tests.skipped} tests were skipped, which CI does not accept`);
  failed += tests.skipped;
}
console.log(`${passed} passed, ${failed} failed, ${tests.skipped} skipped`);
Deno.exit(failed === 0 ? 0 : 1);

async function runTests({ env }: Servers, signal: AbortSignal): Promise<Counts> {
  const running = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--parallel", "--no-check", "tests", "examples", ...Deno.args],
    env: { ...env, DENO_JOBS: "2", ...(Deno.stdout.isTerminal() && { FORCE_COLOR: "1" }) },
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
