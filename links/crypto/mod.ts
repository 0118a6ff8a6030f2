/**
 * Development stand-in for `@std/crypto`: the algorithms of Web Crypto.
 *
 * @module
 */
const webCrypto = globalThis.crypto;

/** Web Crypto, whose `subtle.digest` is all that is used of `@std/crypto`. */
export const crypto: Crypto = webCrypto;
