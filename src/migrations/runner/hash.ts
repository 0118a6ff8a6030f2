import { crypto } from "@std/crypto";

/**
 * SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits; Web Crypto does the work.
 *
 * @param bytes at once, or part by part, so that a large file need not be in memory
 */
export async function sha256(
  bytes: Uint8Array | AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  const data = bytes as Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array<ArrayBuffer>>;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The hashes of files by path. */
export function hashesOf(
  files: readonly { readonly path: string; readonly hash: string }[],
): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, hash }) => [path, hash]));
}
