/**
 * Everything: the checks, and every test with real servers. Arguments are passed on to `deno test`.
 *
 * The last line says `N passed, N failed, N skipped`.
 */
import { runSteps } from "./_run.ts";
import { finish, testWithServers } from "./_tests.ts";
import { CHECKS } from "./checks.ts";

let checks = { passed: 0, failed: 0 };
const { counts, missing } = await testWithServers(
  ["--parallel", "tests", "examples", ...Deno.args],
  { DENO_JOBS: "2" },
  async (signal) => {
    checks = await runSteps(CHECKS, signal);
  },
);
finish({
  missing,
  counts: {
    passed: checks.passed + counts.passed,
    failed: checks.failed + counts.failed,
    skipped: counts.skipped,
  },
});
