/**
 * Development stand-in for `@std/fs`, over `Deno`.
 *
 * @module
 */
export { walk, type WalkEntry, type WalkOptions } from "./walk.ts";

/** Makes sure that the directory exists, creating it and its parents if necessary. */
export async function ensureDir(dir: string | URL): Promise<void> {
  const info = await Deno.stat(dir).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  if (info && !info.isDirectory) {
    throw new Error(`Failed to ensure directory exists: expected 'dir', got 'file'`);
  }
  if (!info) await Deno.mkdir(dir, { recursive: true });
}

/** Whether something is at `path`. */
export async function exists(path: string | URL): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
