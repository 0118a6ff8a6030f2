/**
 * Development stand-in for `@std/fs`, over `Deno`.
 *
 * @module
 */
export { ensureDir } from "./ensure_dir.ts";
export { walk, type WalkEntry, type WalkOptions } from "./walk.ts";

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
