import type { JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from "jose";
import { printable } from "../../text/mod.ts";
import { readKeySet } from "./_key_set.ts";
import { AuthenticationUnavailableError } from "./errors.ts";
import type { Claims, JwtOptions } from "./types.ts";

export interface JwtKey {
  readonly algorithms: readonly string[];
  /** @throws {AuthenticationUnavailableError} if the keys cannot be fetched */
  verify(token: string, expected: JWTVerifyOptions): Promise<Verified>;
}

type Verified = Pick<JWTVerifyResult, "payload" | "protectedHeader">;
export type Jose = typeof import("jose");

const SYMMETRIC: readonly string[] = ["HS256", "HS384", "HS512"];
const ASYMMETRIC: readonly string[] =
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/**
 * The key or key set of the options, with the algorithms that it allows: never those of
 * the other kind, so that an attacker cannot sign with a public key as if it were the secret.
 *
 * @param onFetched called when a key set was fetched again, and keys may have been withdrawn
 * @throws {TypeError} if the key is invalid
 */
export async function loadKey(
  options: JwtOptions,
  jose: Jose,
  onFetched: () => void,
): Promise<JwtKey> {
  const { jwksUri, secret, publicKey } = options;
  const given = [jwksUri, secret, publicKey].filter((one) => one !== undefined && one !== "");
  if (given.length !== 1) {
    throw new TypeError("expected one of 'jwksUri', 'secret' and 'publicKey'");
  }
  const algorithms = algorithmsOf(options);
  if (secret || publicKey) {
    const keys = secret
      ? await secretsOf(secret, algorithms, "verify")
      : await importedKeys("publicKey", publicKey!, algorithms, jose);
    // Algorithms without a key are rejected before.
    const keyFor: JWTVerifyGetKey = ({ alg }) => keys.get(alg)!;
    return {
      algorithms: [...keys.keys()],
      verify: (token, expected) => jose.jwtVerify(token, keyFor, expected),
    };
  }
  const keys = remoteKeys(options, jose, onFetched);
  return { algorithms, verify: (token, expected) => verifyByAny(token, keys, expected, jose) };
}

/** The key that issues tokens, with its algorithm: the first that is allowed and fits it. @throws {TypeError} */
export async function signingKeyOf(
  options: JwtOptions,
  jose: Jose,
): Promise<readonly [algorithm: string, key: Imported]> {
  const { secret, privateKey } = options;
  const algorithms = algorithmsOf(options);
  if (!secret === !privateKey) throw new TypeError("expected one of 'secret' and 'privateKey'");
  const keys = secret
    ? await secretsOf(secret, algorithms, "sign")
    : await importedKeys("privateKey", privateKey!, algorithms, jose);
  return [...keys][0]!;
}

function algorithmsOf({ secret, algorithms }: JwtOptions): readonly string[] {
  const allowed = secret ? SYMMETRIC : ASYMMETRIC;
  const chosen = algorithms ?? (secret ? ["HS256"] : ASYMMETRIC);
  const strange = chosen.find((one) => !allowed.includes(one));
  if (strange === undefined && chosen.length > 0) return chosen;
  const kind = secret ? "a secret" : "public keys";
  const found = strange === undefined ? "none" : `'${strange}'`;
  throw new TypeError(`expected algorithms for ${kind} (${allowed.join(", ")}), found ${found}`);
}

/** By algorithm: a key of Web Crypto has one hash. */
async function secretsOf(
  secret: string | Uint8Array,
  algorithms: readonly string[],
  usage: "sign" | "verify",
): Promise<ReadonlyMap<string, CryptoKey>> {
  const key = typeof secret === "string" ? new TextEncoder().encode(secret) : secret.slice();
  const bytes = Math.max(...algorithms.map((name) => Number(name.slice(2)) / 8));
  if (key.byteLength < bytes) {
    throw new TypeError(`expected a secret of at least ${bytes} bytes, found ${key.byteLength}`);
  }
  const imported = algorithms.map(async (name) => {
    const algorithm = { name: "HMAC", hash: `SHA-${name.slice(2)}` };
    return [name, await crypto.subtle.importKey("raw", key, algorithm, false, [usage])] as const;
  });
  return new Map(await Promise.all(imported));
}

type Imported = Awaited<ReturnType<Jose["importJWK"]>>;

/** By algorithm: a PEM key does not name its algorithm, so it is imported for each one that it fits. */
async function importedKeys(
  option: "publicKey" | "privateKey",
  key: string | Claims,
  algorithms: readonly string[],
  jose: Jose,
): Promise<ReadonlyMap<string, Imported>> {
  const keys = new Map<string, Imported>();
  const isPrivate = option === "privateKey";
  for (const algorithm of algorithms) {
    try {
      if (typeof key === "string") {
        const { importPKCS8, importSPKI } = jose;
        keys.set(algorithm, await (isPrivate ? importPKCS8 : importSPKI)(key.trim(), algorithm));
        continue;
      }
      const { kty, alg = algorithm } = key;
      if (kty === "oct" || "d" in key !== isPrivate) break;
      if (alg !== algorithm) continue;
      const jwk = key as Parameters<Jose["importJWK"]>[0];
      keys.set(algorithm, await jose.importJWK(jwk, algorithm));
    } catch {
      continue;
    }
  }
  for (const imported of keys.values()) {
    const { modulusLength = LEAST_BITS } = "algorithm" in imported
      ? imported.algorithm as { readonly modulusLength?: number }
      : {};
    if (modulusLength >= LEAST_BITS) continue;
    throw new TypeError(
      `expected '${option}' of ${LEAST_BITS} bits or more, found ${modulusLength}`,
    );
  }
  if (keys.size > 0) return keys;
  const pem = isPrivate ? "private key in PEM (PKCS #8)" : "public key in PEM (SPKI)";
  const names = algorithms.join(", ");
  throw new TypeError(`expected '${option}' to be a ${pem} or a JSON Web Key for ${names}`);
}

/** The smallest key of RSA (RFC 7518, 3.3). */
const LEAST_BITS = 2048;

/** Fetches keys on first use and for an unknown `kid`, and waits after a failure. */
function remoteKeys(options: JwtOptions, jose: Jose, onFetched: () => void): JWTVerifyGetKey {
  const { cooldown, cacheMaxAge = 600, timeout = 5 } = options;
  if (cooldown !== undefined) checkSeconds("cooldown", cooldown, { max: DAY });
  checkSeconds("cacheMaxAge", cacheMaxAge, { max: 7 * DAY });
  checkSeconds("timeout", timeout, { min: 0.001, max: 300 });
  const url = urlOf(options.jwksUri);
  const pause = Math.min(cooldown ?? 5, 5);
  let failedAt = -Infinity;
  let reason = "";
  const unavailable = () => {
    const seconds = Math.max(1, pause - (performance.now() - failedAt) / 1000);
    const place = `${url.origin}${url.pathname}`;
    return new AuthenticationUnavailableError(
      `The keys at '${place}' cannot be fetched: ${reason}`,
      seconds,
    );
  };
  const unanswered = new WeakSet<Error>();
  const keys = jose.createRemoteJWKSet(url, {
    cooldownDuration: (cooldown ?? 30) * 1000,
    cacheMaxAge: cacheMaxAge * 1000,
    timeoutDuration: Math.round(timeout * 1000),
    [jose.customFetch]: async (...request) => {
      if (performance.now() - failedAt < pause * 1000) throw unavailable();
      try {
        const set = await readKeySet(await fetch(...request));
        onFetched();
        return set;
      } catch (error) {
        if (error instanceof Error) unanswered.add(error);
        throw error;
      }
    },
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof AuthenticationUnavailableError) throw unavailable();
      const isOfFetch = error instanceof jose.errors.JOSEError
        ? FETCHING.includes(error.code)
        : error instanceof Error && unanswered.has(error);
      // Otherwise the token needs a key that the set lacks.
      if (!isOfFetch) throw error;
      failedAt = performance.now();
      reason = fetchFailure(error);
      throw unavailable();
    }
  };
}

const DAY = 86_400;

/** @throws {TypeError} for a value outside the limits */
export function checkSeconds(
  option: string,
  given: unknown,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): void {
  if (typeof given === "number" && given >= min && given <= max) return;
  throw new TypeError(`expected '${option}' in seconds, from ${min} to ${max}, found '${given}'`);
}

const FETCHING = ["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"];

function urlOf(given: string | URL | undefined): URL {
  const url = URL.parse(String(given));
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new TypeError("expected 'jwksUri' to be an address that begins with https:// or http://");
}

function fetchFailure(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  const { name, message, cause } = error;
  if (name === "TimeoutError" || name === "JWKSTimeout") return "no answer in time";
  const inner = cause instanceof Error ? `: ${cause.message}` : "";
  // Runtimes print the URL with its query, which may contain secrets.
  const text = `${message}${inner}`.replaceAll(/https?:\/\/[^\s)'"]+/g, "its address");
  return printable(text.replaceAll(/\s+/g, " ")).slice(0, 200);
}

/** A token without `kid` may have been signed by any key. */
async function verifyByAny(
  token: string,
  keys: JWTVerifyGetKey,
  expected: JWTVerifyOptions,
  { errors, jwtVerify }: Jose,
): Promise<Verified> {
  try {
    return await jwtVerify(token, keys, expected);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, expected);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
