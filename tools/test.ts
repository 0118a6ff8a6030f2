/**
 * Everything: the checks, and every test with real servers. Arguments are passed on to `deno test`.
 *
 * The last line says `N passed, N failed, N skipped`.
 */
import { runSteps } from "./_run.ts";
import { type Servers, startServers } from "./_servers.ts";
import { CHECKS } from "./checks.ts";

const starting = startServers((line) => console.log(`        ${line}`));
// Servers are processes of their own: they have to end with this one, however it ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, async () => {
    await (await starting)[Symbol.asyncDispose]();
    Deno.exit(signal === "SIGINT" ? 130 : 143);
  });
}

const checks = await runSteps(CHECKS);
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

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

async function runTests({ env }: Servers): Promise<Counts> {
  const report = await Deno.makeTempFile({ suffix: ".xml" });
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "-A",
      "--parallel",
      "--no-check",
      `--junit-path=${report}`,
      "tests",
      "examples",
      "links",
      ...Deno.args,
    ],
    env: { ...env, DENO_JOBS: "2" },
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  const counts = countsOf(await Deno.readTextFile(report));
  await Deno.remove(report);
  // A module that cannot be loaded is no test case, and no success either.
  return !success && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Adds up the suites of a JUnit report. */
function countsOf(xml: string): Counts {
  const sum = (name: string) =>
    [...xml.matchAll(/<testsuite [^>]*>/g)].reduce((total, [suite]) => {
      return total + Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
    }, 0);
  const failed = sum("failures") + sum("errors");
  const skipped = sum("disabled") + sum("skipped");
  return { passed: sum("tests") - failed - skipped, failed, skipped };
}
