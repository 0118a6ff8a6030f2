import { builtin } from "./builtin.ts";

/** Derives 32 bytes or more from a password by Argon2id (RFC 9106). */
export type Argon2id = (
  password: Uint8Array<ArrayBuffer>,
  given: Argon2Input,
) => Promise<Uint8Array>;

export interface Argon2Input {
  readonly salt: Uint8Array<ArrayBuffer>;
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  /** In bytes. */
  readonly length: number;
}

/** Argon2id of the runtime, outside of its event loop; `undefined` where it has none, as in Node before 24.7. */
export function argon2id(): Argon2id | undefined {
  const { SubtleCrypto } = globalThis as unknown as Globals;
  const derive = builtin<{ readonly argon2?: NodeArgon2 } | undefined>("node:crypto")?.argon2;
  // Before the Web Crypto of Node, which warns that it is experimental.
  if (derive) return (password, given) => byNode(derive, password, given);
  return SubtleCrypto?.supports?.("importKey", "Argon2id") ? byWebCrypto : undefined;
}

function byNode(derive: NodeArgon2, message: Uint8Array, given: Argon2Input): Promise<Uint8Array> {
  const { salt: nonce, length: tagLength, ...others } = given;
  return new Promise((resolve, reject) => {
    derive("argon2id", { message, nonce, tagLength, ...others }, (error, tag) => {
      if (error) reject(error);
      else resolve(tag);
    });
  });
}

/** By the proposal "Modern Algorithms in the Web Cryptography API", which Deno has. */
async function byWebCrypto(
  password: Uint8Array<ArrayBuffer>,
  { salt: nonce, length, ...others }: Argon2Input,
): Promise<Uint8Array> {
  const format = "raw-secret" as "raw";
  const key = await crypto.subtle.importKey(format, password, "Argon2id", false, ["deriveBits"]);
  const algorithm = { name: "Argon2id", nonce, version: 0x13, ...others };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

type NodeArgon2 = (
  algorithm: "argon2id",
  parameters: object,
  done: (error: Error | null, tag: Uint8Array) => void,
) => void;

interface Globals {
  readonly SubtleCrypto?: { supports?(operation: string, algorithm: string): boolean };
}
