/** The command line where `import.meta.main` may be unknown, as on Node 22: runs whenever it is loaded. */
import { main } from "../src/cli/mod.ts";
import { MIGRATION_FEATURES } from "../src/features/migrations.ts";
import { WEB_FEATURES } from "../src/features/web.ts";
import { loadRuntime, runToEnd } from "../src/runtime/mod.ts";

try {
  await runToEnd(
    await loadRuntime(),
    (runtime) => main(runtime, [...MIGRATION_FEATURES, ...WEB_FEATURES]),
  );
} catch (error) {
  // `main` tells all else. Here there is no runtime yet.
  console.error(`error: ${(error as Error).message}`);
  (globalThis as { process?: { exitCode?: number } }).process!.exitCode = 2;
}
