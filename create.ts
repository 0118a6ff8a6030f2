#!/usr/bin/env -S deno run -A
/**
 * Makes a new project: a REST service with a migrated database, tests and a Dockerfile, on Deno, Node or Bun.
 *
 * ```sh
 * deno create jsr:@irori/irori -- my-app
 * ```
 *
 * @module
 */
import { create } from "./src/features/create/mod.ts";
import { loadRuntime, runToEnd } from "./src/runtime/mod.ts";

if (import.meta.main) {
  await runToEnd(await loadRuntime(), create);
}
