/** The command line of `irori-migrate`: that of `irori` without the commands of the web half. */
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

/** A run without a command proposes a configuration where there is none. */
async function withCommand(runtime: Runtime): Promise<Runtime> {
  const { args } = runtime;
  const { names } = programOf(MIGRATION_FEATURES);
  const isOther = args.some((arg) =>
    names.includes(arg) || /^-(?:[hVcm]|-(?:help|version|config|type)\b)/.test(arg)
  );
  if (isOther) return runtime;
  const { isConfigured } = await import("../../src/features/init/configured.ts");
  // A configuration that cannot be read is there, and the run says what is wrong in it.
  if (await isConfigured(runtime, "config").catch(() => true)) return runtime;
  return Object.assign(Object.create(runtime) as Runtime, { args: ["init", ...args] });
}
