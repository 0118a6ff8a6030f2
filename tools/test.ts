/**
 * Everything: the checks, and every test with real servers. Arguments are passed on to `deno test`.
 *
 * The last line says `N passed, N failed, N skipped`.
 */
import { type Counts, countsOf } from "./_counts.ts";
import { runSteps } from "./_run.ts";
import { type Servers, startServers } from "./_servers.ts";
import { CHECKS } from "./checks.ts";

let running: Deno.ChildProcess | undefined;
const note = (line: string) => console.log(`        ${line}`);
const interruption = new AbortController();
const { pending, servers: starting } = startServers(note, interruption.signal);
// Servers are processes of their own: they have to end with this one, however it ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.addSignalListener(signal, async () => {
    if (interruption.signal.aborted) return;
    interruption.abort();
    running?.kill("SIGKILL");
    await (await starting)[Symbol.asyncDispose]();
    Deno.exit(130);
  });
}

const checks = await runSteps(CHECKS);
if (pending.size > 0) note(`waiting for ${[...pending].join(", ")} …`);
const servers = await starting;
let tests: Counts;
try {
  tests = await runTests(servers);
} finally {
  await servers[Symbol.asyncDispose]();
}

for (const reason of servers.missing) console.log(`not tested: ${reason}`);
const passed = checks.passed + tests.passed;
let failed = checks.failed + tests.failed;
if (Deno.env.get("CI") === "true" && tests.skipped > 0) {
  console.log(`${tests.skipped} tests were skipped, which CI does not accept`);
  failed += tests.skipped;
}
console.log(`${passed} passed, ${failed} failed, ${tests.skipped} skipped`);
Deno.exit(failed === 0 ? 0 : 1);

async function runTests({ env }: Servers): Promise<Counts> {
  running = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--parallel", "--no-check", "tests", "examples", ...Deno.args],
    env: { ...env, DENO_JOBS: "2", ...(Deno.stdout.isTerminal() && { FORCE_COLOR: "1" }) },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let output = "";
  for await (const text of running.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    await Deno.stdout.write(new TextEncoder().encode(text));
  }
  const { success } = await running.status;
  running = undefined;
  const counts = countsOf(output);
  return !success && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
