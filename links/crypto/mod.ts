/**
 * Development stand-in for `@std/crypto`: Web Crypto, whose `subtle.digest` also takes bytes part by part.
 *
 * @module
 */
const webCrypto = globalThis.crypto;

/** Extensions to the Web standard `SubtleCrypto` interface. */
export interface StdSubtleCrypto extends SubtleCrypto {
  /** The digest of bytes, or of parts of them one after the other. */
  digest(
    algorithm: AlgorithmIdentifier,
    data: BufferSource | AsyncIterable<BufferSource> | Iterable<BufferSource>,
  ): Promise<ArrayBuffer>;
}

/** Extensions to the Web standard `Crypto` interface. */
export interface StdCrypto extends Crypto {
  /** With a `digest` that takes parts. */
  readonly subtle: StdSubtleCrypto;
}

const subtle: StdSubtleCrypto = Object.assign(Object.create(webCrypto.subtle), {
  async digest(
    algorithm: AlgorithmIdentifier,
    data: BufferSource | AsyncIterable<BufferSource> | Iterable<BufferSource>,
  ): Promise<ArrayBuffer> {
    if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) {
      return await webCrypto.subtle.digest(algorithm, data);
    }
    const { createHash } = await import("node:crypto");
    const hash = createHash(typeof algorithm === "string" ? algorithm : algorithm.name);
    for await (const part of data) hash.update(new Uint8Array(part as ArrayBuffer));
    return new Uint8Array(hash.digest()).buffer;
  },
});

/** Web Crypto with the extensions. */
export const crypto: StdCrypto = Object.assign(Object.create(webCrypto), { subtle });
