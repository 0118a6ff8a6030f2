/** The command line of `irori-migrate`: that of `irori` without the commands of the web half. */
import { readArguments } from "../../src/cli/arguments.ts";
import { main } from "../../src/cli/mod.ts";
import { programOf } from "../../src/cli/program.ts";
import { MIGRATION_FEATURES } from "../../src/features/migrations.ts";
import { loadRuntime, runToEnd } from "../../src/runtime/mod.ts";
import type { Runtime } from "../../src/runtime/types.ts";

try {
  await runToEnd(await loadRuntime(), async (runtime) => {
    return await main(await withCommand(runtime), MIGRATION_FEATURES);
  });
} catch (error) {
  // `main` tells all else. Here there is no runtime yet.
  console.error(`error: ${(error as Error).message}`);
  (globalThis as { process?: { exitCode?: number } }).process!.exitCode = 2;
}

/** Without a command nothing is changed: a configuration is proposed, or the status shown where there is one. */
async function withCommand(runtime: Runtime): Promise<Runtime> {
  const { args } = runtime;
  const { isNamed, globals } = await readArguments(args, programOf(MIGRATION_FEATURES));
  if (isNamed || globals.help || globals.version) return runtime;
  const { isConfigured } = await import("../../src/features/init/configured.ts");
  // A configuration that cannot be read is there, and the run says what is wrong in it.
  const isThere = globals.type === "search" ||
    await isConfigured(runtime, globals.config).catch(() => true);
  const command = isThere ? "status" : "init";
  return Object.assign(Object.create(runtime) as Runtime, { args: [command, ...args] });
}
