/** SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits, by Web Crypto. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return hexOf(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}

/** The same of bytes that come part by part, so that a large file need not be in memory. */
export async function sha256OfChunks(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  // Web Crypto wants all at once; few runs need more.
  const { crypto } = await import("@std/crypto");
  return hexOf(await crypto.subtle.digest("SHA-256", chunks));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hexOf(digest: ArrayBuffer): string {
  let text = "";
  for (const byte of new Uint8Array(digest)) text += HEX[byte];
  return text;
}

/** The hashes of files by path. */
export function hashesOf(
  files: readonly { readonly path: string; readonly hash: string }[],
): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, hash }) => [path, hash]));
}
