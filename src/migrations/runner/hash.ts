import { crypto } from "@std/crypto";

/** SHA-256 (FIPS 180-4) of the bytes as 64 lower-case hexadecimal digits; Web Crypto does the work. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
