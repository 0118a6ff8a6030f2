import type { Configurable } from "../../app/mod.ts";
import type { HttpRequest } from "../../http/mod.ts";
import { notInstalled } from "../../runtime/mod.ts";
import { printable, TOKEN } from "../../text/mod.ts";
import { factoryOf } from "./_accounts.ts";
import { authorizationOf } from "./_credentials.ts";
import { BEARER } from "./challenges.ts";
import { AuthenticationUnavailableError, BadCredentialsError } from "./errors.ts";
import { checkSeconds, type Jose, type JwtKey, loadKey } from "./jwt_key.ts";
import { claimAt, isName, isText, textsAt } from "./jwt_claims.ts";
import type {
  AuthenticationScheme,
  Claims,
  JwtOptions,
  Principal,
  SchemeFactory,
} from "./types.ts";

/**
 * Authenticates by JSON Web Tokens as bearer tokens (RFC 7519, 6750), verified with `jose`, which the application installs: signature,
 * algorithm, issuer, audience and expiry, which is required. {@linkcode issueToken} issues tokens by the same options.
 *
 * ```ts ignore
 * jwt((config) => ({
 *   issuer: "https://id.example.com",
 *   audience: "tracks",
 *   jwksUri: config.string("jwt.jwks-uri"),
 *   roles: "realm_access.roles",
 * }))
 * ```
 *
 * @param given options, or a function that returns them for a configuration
 * @throws {PackageNotFoundError} at startup, if `jose` is not installed
 */
export function jwt(given: Configurable<JwtOptions>): SchemeFactory {
  return factoryOf(given, OPTIONS, async (options, isDescribed) => {
    if (isDescribed) return (await readScheme(options)).scheme;
    return await schemeOf(options, await import("jose").catch(notInstalled("jose")));
  });
}

export const OPTIONS: readonly (keyof JwtOptions)[] = [
  ...["issuer", "audience", "jwksUri", "secret", "publicKey", "privateKey", "keyId"] as const,
  ...["from", "scheme", "cookie", "query", "typ", "algorithms"] as const,
  ...["clockTolerance", "name", "roles", "knownRoles", "user"] as const,
  ...["cooldown", "cacheMaxAge", "timeout"] as const,
];

async function schemeOf(options: JwtOptions, jose: Jose): Promise<AuthenticationScheme> {
  const { scheme, read } = await readScheme(options);
  const { clockTolerance = 60, cacheMaxAge = 600 } = options;
  const remembered = Math.min(REMEMBERED_SECONDS, cacheMaxAge) * 1000;
  let known = new VerifiedTokens(remembered);
  const key = await loadKey(options, jose, () => known = new VerifiedTokens(remembered));
  checkSeconds("clockTolerance", clockTolerance, { max: 600 });
  const expected = {
    algorithms: [...key.algorithms],
    issuer: readNames("issuer", options.issuer),
    audience: readNames("audience", options.audience),
    clockTolerance,
    requiredClaims: ["exp"],
  };
  const isAccess = typeCheck(options.typ);
  return {
    ...scheme,
    async authenticate(request: HttpRequest) {
      const token = read(request);
      if (token === undefined) return undefined;
      if (token === "") throw invalid("malformed");
      // Not those of a key set that is fetched meanwhile: the key may be withdrawn.
      const tokens = known;
      let claims: Claims | undefined = tokens.has(token) ? jose.decodeJwt(token) : undefined;
      if (claims === undefined || !isInTime(claims, clockTolerance)) {
        const { payload, protectedHeader } = await verified(token, key, expected, jose);
        // `1e999` is valid JSON and parses as Infinity.
        if (!Number.isFinite(payload.exp)) throw invalid("no expiry");
        if (!isAccess(protectedHeader.typ)) throw invalid("unexpected type");
        tokens.add(token);
        claims = payload;
      }
      const user = await userOf(claims, options);
      if (!user) throw invalid("no user");
      return user;
    },
  };
}

/** Tokens whose signature and claims were verified a short time ago, by a clock that is never set. */
class VerifiedTokens {
  readonly #until = new Map<string, number>();

  constructor(readonly milliseconds: number) {}

  has(token: string): boolean {
    return performance.now() < (this.#until.get(token) ?? 0);
  }

  add(token: string): void {
    const now = performance.now();
    // Behind the others: the oldest come first.
    this.#until.delete(token);
    this.#until.set(token, now + this.milliseconds);
    for (const [oldest, until] of this.#until) {
      if (now < until && this.#until.size <= MOST_REMEMBERED) return;
      this.#until.delete(oldest);
    }
  }
}

/** Whether a verified token is valid now: it may have expired, or the clock was set. */
function isInTime({ exp, nbf = 0 }: Claims, tolerance: number): boolean {
  const now = Date.now() / 1000;
  return Number(exp) + tolerance > now && Number(nbf) - tolerance <= now;
}

const REMEMBERED_SECONDS = 60;
const MOST_REMEMBERED = 1000;

/** @throws {TypeError} for unknown places */
async function readScheme(options: JwtOptions) {
  const { knownRoles, from, cookie, query, scheme = BEARER } = options;
  if (!TOKEN.test(scheme)) throw new TypeError("expected 'scheme' to be a name such as 'Token'");
  const challenge = /^bearer$/i.test(scheme) ? BEARER : scheme;
  const { read, openApi } = (from ?? cookie ?? query) === undefined
    ? authorizationOf(challenge)
    : (await import("./_token_places.ts")).placesOf(options, challenge);
  const roles = knownRoles && { roles: knownRoles };
  return { read, scheme: { challenge, openApi, ...roles, authenticate: () => undefined } };
}

/** @throws {TypeError} */
export function readNames(option: string, given: string | readonly string[]): string[] {
  const names = typeof given === "string" ? [given] : [...given ?? []];
  if (names.length > 0 && names.every((name) => isText(name))) return names;
  throw new TypeError(`expected '${option}' to be a string or a list of strings`);
}

/** Rejects tokens of other types (RFC 8725, 3.11; RFC 9068, 4). Types are case-insensitive (RFC 7515, 4.1.9). */
function typeCheck(given: JwtOptions["typ"]): (typ: unknown) => boolean {
  const subtype = (typ: string) => typ.toLowerCase().replace(/^application\//, "");
  const taken = new Set((given === undefined ? ACCESS : readNames("typ", given)).map(subtype));
  return (typ) => typ === undefined ? given === undefined : isText(typ) && taken.has(subtype(typ));
}

const ACCESS = ["JWT", "at+jwt"];

async function verified(
  token: string,
  { verify }: JwtKey,
  expected: Parameters<JwtKey["verify"]>[1],
  { errors }: Jose,
): ReturnType<JwtKey["verify"]> {
  try {
    return await verify(token, expected);
  } catch (error) {
    if (error instanceof AuthenticationUnavailableError) throw error;
    if (error instanceof errors.JWTExpired) {
      throw invalid("it has expired", "The token has expired");
    }
    // Every other error is a defect of the token. Messages of jose contain only names of it.
    const reason = error instanceof errors.JOSEError
      ? `${error.code}: ${error.message}`
      : "unreadable";
    throw invalid(printable(reason).slice(0, 200));
  }
}

function invalid(reason: string, description = "The token is not valid"): BadCredentialsError {
  return new BadCredentialsError(`Rejected token (${reason})`, description);
}

async function userOf(claims: Claims, options: JwtOptions): Promise<Principal | undefined> {
  const { user, name = "sub", roles = "roles" } = options;
  if (user) return await user(claims);
  const named = claimAt(claims, name);
  if (!isName(named)) return undefined;
  const given = typeof roles === "function" ? roles(claims) : textsAt(claims, roles);
  return { name: named, roles: given, claims } as Principal;
}
