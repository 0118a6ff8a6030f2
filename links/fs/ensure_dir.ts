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
