#!/usr/bin/env -S deno run -A
/**
 * The command line of Irori: applies versioned migrations to SQL databases and search clusters.
 *
 * ```sh
 * deno run -A jsr:@irori/irori/cli -c config --sqlPath migrations -m search
 * ```
 *
 * @module
 */
import { main } from "./src/cli/mod.ts";
import { MIGRATION_FEATURES } from "./src/features/migrations.ts";
import { WEB_FEATURES } from "./src/features/web.ts";
import { loadRuntime, runToEnd } from "./src/runtime/mod.ts";

if (import.meta.main) {
  await runToEnd(
    await loadRuntime(),
    (runtime) => main(runtime, [...MIGRATION_FEATURES, ...WEB_FEATURES]),
  );
}
