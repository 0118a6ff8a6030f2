/** The command line of `irori-migrate`: that of `irori` without the commands of the web half. */
import { main } from "../../src/cli/mod.ts";
import { MIGRATION_FEATURES } from "../../src/features/migrations.ts";
import { loadRuntime, runToEnd } from "../../src/runtime/mod.ts";

try {
  await runToEnd(await loadRuntime(), (runtime) => main(runtime, MIGRATION_FEATURES));
} catch (error) {
  // `main` tells all else. Here there is no runtime yet.
  console.error(`error: ${(error as Error).message}`);
  (globalThis as { process?: { exitCode?: number } }).process!.exitCode = 2;
}
