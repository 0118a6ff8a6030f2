import type { Runtime } from "./types.ts";

/**
 * The runtime that this code runs on.
 *
 * @throws {Error} where there is none with files and sockets, as on edge isolates
 */
export async function loadRuntime(): Promise<Runtime> {
  if ("Deno" in globalThis) return (await import("./deno.ts")).denoRuntime();
  throw new Error(
    "Cannot find files and sockets here: on an edge isolate, use bootstrap({ components, config, env })",
  );
}
