/**
 * The proofs of which the tests run a slice, whole and with real servers; what they found is written to `docs/proofs`.
 * Arguments are passed on to `deno test`; `--filter` chooses among the proofs.
 *
 * The last line says `N passed, N failed, N skipped`.
 */
import { finish, testWithServers } from "./_tests.ts";

/** Tests that write a proof. */
const PROOFS = [
  "tests/examples/moved_test.ts",
  "tests/migrations/search/fault_table_test.ts",
  "tests/migrations/sql/cut_off_records_test.ts",
  "tests/migrations/search/reindex/parameters_test.ts",
  "tests/migrations/sql/fence_test.ts",
  "tests/migrations/sql/pooler_test.ts",
  "tests/openapi/schemathesis_test.ts",
  "tests/runtimes/compilers_test.ts",
  "tests/runtimes/attacks_test.ts",
  "tests/runtimes/sockets_test.ts",
];

// One after the other: some count what a server did meanwhile.
await finish(await testWithServers([...PROOFS, ...Deno.args], { IRORI_LONG: "1" }));
