/**
 * Development stand-in for `@std/crypto`: the digests of Web Crypto, also of bytes that come part by part.
 *
 * @module
 */

/** What is used of the extended `SubtleCrypto`. */
export interface StdSubtleCrypto {
  /** The digest of bytes, or of parts of them one after the other. */
  digest(
    algorithm: string,
    data: BufferSource | AsyncIterable<BufferSource> | Iterable<BufferSource>,
  ): Promise<ArrayBuffer>;
}

/** What is used of the extended `Crypto`. */
export const crypto: { readonly subtle: StdSubtleCrypto } = { subtle: { digest } };

async function digest(
  algorithm: string,
  data: BufferSource | AsyncIterable<BufferSource> | Iterable<BufferSource>,
): Promise<ArrayBuffer> {
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) {
    return await globalThis.crypto.subtle.digest(algorithm, data);
  }
  const { createHash } = await import("node:crypto");
  const hash = createHash(algorithm.replace("-", ""));
  for await (const part of data) {
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(part)
      ? part
      : new Uint8Array(part);
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return new Uint8Array(hash.digest()).buffer;
}
