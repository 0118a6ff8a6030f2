import { loadRuntime as noRuntime } from "./_no_runtime.ts";
import { requireSupported } from "./_supported.ts";
import type { Runtime } from "./types.ts";

/** @throws {Error} on edge isolates, and on a runtime that is too old */
export async function loadRuntime(): Promise<Runtime> {
  requireSupported();
  const { Deno, Bun } = globalThis as Globals;
  if (Deno) return (await import("./deno/deno.ts")).denoRuntime();
  if (Bun) return (await import("./bun/bun.ts")).bunRuntime();
  // Only now: what Deno has for Node takes it 10 ms, when it is asked for.
  const { process, navigator } = globalThis as Globals;
  // Edge isolates that imitate Node have a `process`, too.
  if (process?.versions?.node && navigator?.userAgent !== "Cloudflare-Workers") {
    return (await import("./node/node.ts")).nodeRuntime();
  }
  return await noRuntime();
}

interface Globals {
  readonly Deno?: unknown;
  readonly Bun?: unknown;
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgent?: string };
}
