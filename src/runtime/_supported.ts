/**
 * Rejects runtimes that lack what the library needs, before a later line fails for an unclear reason.
 *
 * @throws {Error} on Node 20 and the like
 */
export function requireSupported(): void {
  if (typeof Map.groupBy === "function") return;
  const { process } = globalThis as { process?: { version?: string } };
  const found = process?.version ? ` (${process.version})` : "";
  throw new Error(
    `This runtime is too old${found}: Irori needs Node 22.19, Deno 2.9, Bun 1.4 or later`,
  );
}
