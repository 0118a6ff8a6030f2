/**
 * Rejects runtimes that lack what the library needs, before a later line fails for an unclear reason.
 *
 * @throws {Error} on Node 20 and the like
 */
export function requireSupported(): void {
  if (typeof Map.groupBy === "function") return;
  throw new Error("This runtime is too old: Irori needs Node 22.19, Deno 2.9, Bun 1.4 or later");
}
