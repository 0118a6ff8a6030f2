/**
 * Runs the proofs whole, of which the tests have a sample, with real servers, and writes the results to `docs/proofs`.
 * Arguments are passed on to `deno test`; `--filter` selects proofs.
 *
 * The last line says `N passed, N failed, N skipped`.
 */
import { finish } from "./_finish.ts";
import { testFiles } from "./_test_files.ts";
import { runTests } from "./_tests.ts";

/** Tests that write a proof. */
const PROOFS = [
  "tests/features/adopt/drizzle_at_once_test.ts",
  "tests/examples/moved_test.ts",
  "tests/migrations/search/fault_table_test.ts",
  "tests/migrations/sql/cut_off_records_test.ts",
  "tests/features/types/documents/cluster_test.ts",
  "tests/features/reindex/parameters_test.ts",
  "tests/migrations/sql/fence_test.ts",
  "tests/migrations/sql/pooler_test.ts",
  "tests/features/openapi/schemathesis_test.ts",
  "tests/runtimes/compilers_test.ts",
  "tests/runtimes/attacks_test.ts",
  "tests/runtimes/sockets_test.ts",
  "tests/features/scheduling/rounds_test.ts",
  "tests/features/idempotency/kills_test.ts",
  "tests/features/jobs/rounds_test.ts",
  "tests/features/transactions/model_test.ts",
];

// One file after another: some proofs count what a server did meanwhile.
await finish(
  await runTests({
    files: await testFiles(PROOFS, false),
    flags: Deno.args,
    env: { IRORI_LONG: "1" },
    isAll: true,
    checks: [],
  }),
);
