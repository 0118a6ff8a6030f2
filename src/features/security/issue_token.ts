import { notInstalled } from "../../runtime/mod.ts";
import { quoted } from "../../text/mod.ts";
import { checkOptions } from "./_accounts.ts";
import { OPTIONS, readNames } from "./jwt.ts";
import { claimAt, isName } from "./jwt_claims.ts";
import { checkSeconds, type Jose, loadKey, signingKeyOf } from "./jwt_key.ts";
import type { Claims, JwtOptions } from "./types.ts";

/**
 * Issues a token that {@linkcode jwt} accepts by the same options: for their issuer and audience, signed with `secret` or
 * `privateKey` by `jose`, which the application installs.
 *
 * ```ts ignore
 * const token = await issueToken(options, { sub: user.name, roles: user.roles }, { expiresIn: 900 });
 * ```
 *
 * @param claims those of the user; `iss` and `aud` only if the options have several, to choose one
 * @param lifetime `expiresIn` in seconds, at most a year
 * @throws {TypeError} if the options have no valid key that signs, or a claim is missing or contradicts them
 * @throws {PackageNotFoundError} if `jose` is not installed
 */
export async function issueToken(
  options: JwtOptions,
  claims: Claims,
  lifetime: { readonly expiresIn: number },
): Promise<string> {
  const jose = await import("jose").catch(notInstalled("jose"));
  try {
    const expiresIn = lifetime?.expiresIn;
    checkSeconds("expiresIn", expiresIn, { min: 1, max: YEAR });
    const issued = checkedClaims(options, claims);
    if (!signers.has(options)) signers.set(options, signerOf(options, jose));
    const now = Math.floor(Date.now() / 1000);
    return await (await signers.get(options)!)({
      ...issued,
      iat: now,
      exp: now + Math.floor(expiresIn),
    });
  } catch (error) {
    throw new TypeError(`Cannot issue a token: ${(error as Error).message}`);
  }
}

const YEAR = 366 * 86_400;

type Signer = (claims: Claims) => Promise<string>;

/** Keys are imported once. */
const signers = new WeakMap<JwtOptions, Promise<Signer>>();

async function signerOf(options: JwtOptions, jose: Jose): Promise<Signer> {
  checkOptions(options, OPTIONS);
  const { privateKey, publicKey, typ } = options;
  const { keyId: kid = typeof privateKey === "object" ? privateKey.kid : undefined } = options;
  const [alg, key] = await signingKeyOf(options, jose);
  const header = {
    alg,
    typ: typ === undefined ? "JWT" : readNames("typ", typ)[0],
    ...(typeof kid === "string" && { kid }),
  };
  const sign: Signer = (claims) => new jose.SignJWT(claims).setProtectedHeader(header).sign(key);
  if (publicKey) {
    const { verify } = await loadKey(options, jose, () => {});
    await verify(await sign({}), {}).catch(() => {
      throw new TypeError("'privateKey' and 'publicKey' are not of one pair");
    });
  }
  return sign;
}

/** @throws {TypeError} for claims that `jwt` rejects, or that the options decide */
function checkedClaims(options: JwtOptions, claims: Claims): Claims {
  const { issuer, audience, name = "sub", user } = options;
  const decided = ["exp", "iat"].find((claim) => Object.hasOwn(claims, claim));
  if (decided !== undefined) throw new TypeError(`'expiresIn' decides the claim '${decided}'`);
  if (!user && !isName(claimAt(claims, name))) {
    throw new TypeError(`expected the name of the user in the claim '${name}'`);
  }
  return {
    ...claims,
    iss: chosen("iss", claims, readNames("issuer", issuer)),
    aud: chosen("aud", claims, readNames("audience", audience)),
  };
}

function chosen(claim: string, claims: Claims, names: readonly string[]): string {
  const [only, another] = names;
  const found = claims[claim] ?? (another === undefined ? only : undefined);
  if (typeof found === "string" && names.includes(found)) return found;
  throw new TypeError(`expected the claim '${claim}' to be one of ${quoted(names)}`);
}
