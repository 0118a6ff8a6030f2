/**
 * Everything: the checks, and every test with real servers. Arguments are passed on to `deno test`.
 *
 * Fails where there are fewer tests of a server or a runtime than `tests/expected_counts.json` says, which
 * `deno task test:count` writes. The last line says `N passed, N failed, N skipped`.
 */
import { runSteps } from "./_run.ts";
import { ALL_TESTS, finish, testWithServers } from "./_tests.ts";
import { CHECKS } from "./checks.ts";

let checks = { passed: 0, failed: 0 };
const { counts, ...tested } = await testWithServers(
  [...ALL_TESTS, ...Deno.args],
  { DENO_JOBS: "2" },
  async (signal) => {
    checks = await runSteps(CHECKS, signal);
  },
);
await finish({
  ...tested,
  counts: {
    passed: checks.passed + counts.passed,
    failed: checks.failed + counts.failed,
    skipped: counts.skipped,
  },
}, Deno.args.length === 0);
