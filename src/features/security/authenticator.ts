import type { Context } from "hono";
import { HttpError, type HttpRequest } from "../../http/mod.ts";
import { NO_STORE } from "../../runtime/web.ts";
import { followedBy } from "../../text/mod.ts";
import {
  type Access,
  type FailureLog,
  forbidden,
  type Guard,
  type RequestMaker,
  type Subject,
} from "../../web/mod.ts";
import { challengesOf } from "./challenges.ts";
import { AuthenticationUnavailableError, BadCredentialsError, OriginError } from "./errors.ts";
import { testUserOf } from "./test_users.ts";
import type { NamedScheme, Principal } from "./types.ts";

interface Login {
  readonly user: Principal;
  readonly by: NamedScheme;
}

/** Shared by all applications: one that mounts another shares contexts with it, but not its schemes. */
const proofs = new WeakMap<Subject, Login & { readonly of: readonly NamedScheme[] }>();

/** The user of a context, whichever application has authenticated it last. */
export function lastUserOf(context: Context): Principal | undefined {
  return proofs.get(context)?.user;
}

/** Tries the schemes in order, once per request. Synchronous as long as the schemes are. */
export function authentication(
  schemes: readonly NamedScheme[],
  realm: string,
  requestOf: RequestMaker = () => {
    throw new TypeError("Cannot authenticate a request: the application is not started");
  },
): Pick<
  Guard,
  "checkOf" | "hasSeenContext" | "identifier" | "identityOf" | "moveIdentity" | "userOf"
> {
  const seen = new WeakSet<Subject>();
  const proofOf = (subject: Subject) => {
    const proof = proofs.get(subjectOf(subject));
    return proof?.of === schemes ? proof : undefined;
  };
  /** @throws {HttpError} 401 if the credentials are invalid, 503 if they cannot be verified */
  const identify = (subject: Subject, log: FailureLog): boolean | Promise<boolean> => {
    if (proofOf(subject)) return true;
    const refusals: Refusals = new Map();
    const request = "req" in subject ? requestOf(subject) : subject.unrouted();
    const found = testedBy(schemes, subject) ?? firstOf(schemes, request, refusals);
    return followedBy(found, (found) => {
      if (request.isContextSeen) seen.add(subjectOf(subject));
      if (found) proofs.set(subjectOf(subject), { ...found, of: schemes });
      else if (refusals.size > 0) {
        throw refusalOf(request, refusals, log) ?? unauthorized(schemes, realm, refusals);
      }
      return found !== undefined;
    });
  };
  const require = ({ allows, roles }: Access, isKnown: boolean, subject: Subject) => {
    if (!isKnown) throw unauthorized(schemes, realm);
    const { user, by } = proofOf(subject)!;
    const isAllowed = allows === "authenticated" ||
      roles?.some((role) => user.roles?.includes(role));
    if (isAllowed) return;
    const challenge = `Bearer realm="${realm}", error="insufficient_scope"`;
    throw forbidden(by.scheme.challenge === "Bearer" ? { "WWW-Authenticate": challenge } : {});
  };
  return {
    userOf: (subject) => proofOf(subject)?.user,
    /** Differs between users of one name in two schemes. */
    identityOf(subject) {
      const proof = proofOf(subject);
      return proof && JSON.stringify([proof.by.name, proof.user.name]);
    },
    hasSeenContext: (subject) => seen.has(subjectOf(subject)),
    moveIdentity(from, to) {
      const proof = proofs.get(from);
      if (proof) proofs.set(to, proof);
    },
    identifier: (log) => (subject) => followedBy(identify(subject, log), () => {}),
    checkOf: (access, log) =>
      access.allows === "permitAll"
        ? undefined
        : (subject) =>
          followedBy(identify(subject, log), (isKnown) => require(access, isKnown, subject)),
  };
}

function subjectOf(request: Subject): Subject {
  return "req" in request ? request : request.subject;
}

/** The login of a request by `asUser()` of `./testing`. */
function testedBy([by]: readonly NamedScheme[], subject: Subject): Login | undefined {
  const known = subjectOf(subject);
  const user = "req" in known ? testUserOf(known.req.raw) : undefined;
  return user && by && { user, by };
}

type Refusals = Map<
  NamedScheme,
  BadCredentialsError | OriginError | AuthenticationUnavailableError
>;

/** The user by the first scheme that knows one. After a refusal the next may; other errors are the application's. */
function firstOf(
  [by, ...others]: readonly NamedScheme[],
  request: HttpRequest,
  refusals: Refusals,
): Login | undefined | Promise<Login | undefined> {
  if (by === undefined) return undefined;
  const note = (error: unknown): undefined => {
    const isRefusal = error instanceof BadCredentialsError || error instanceof OriginError ||
      error instanceof AuthenticationUnavailableError;
    if (!isRefusal) throw error;
    refusals.set(by, error);
  };
  let user: Principal | undefined | Promise<Principal | undefined>;
  try {
    const given = followedBy(by.scheme.authenticate(request), (user) => validUser(by.name, user));
    user = given instanceof Promise ? given.catch(note) : given;
  } catch (error) {
    note(error);
  }
  return followedBy(user, (user) => user ? { user, by } : firstOf(others, request, refusals));
}

/** @throws {TypeError} when a scheme returns an invalid principal */
function validUser(scheme: string, user: Principal | undefined): Principal | undefined {
  if (user === undefined) return undefined;
  if (user === null) throw new BadCredentialsError("Unknown credentials");
  const { name, roles } = user;
  const areRoles = roles === undefined || Array.isArray(roles);
  if (typeof user === "object" && typeof name === "string" && areRoles) return user;
  throw new TypeError(
    `Scheme '${scheme}' returned an invalid principal: expected { name, roles? }`,
  );
}

/** That of an origin, or of credentials that cannot be verified; others get 401. */
function refusalOf(
  { method, path }: HttpRequest,
  refusals: Refusals,
  log: FailureLog,
): HttpError | undefined {
  const errors = [...refusals.values()];
  const unavailable = errors.find((error) => error instanceof AuthenticationUnavailableError);
  if (unavailable) return unavailable;
  for (const [{ name }, error] of refusals) {
    const reason = error instanceof OriginError ? error.reason : error.message;
    log(`Cannot authenticate ${method} ${path} by '${name}': ${reason}`, undefined, "DEBUG");
  }
  return errors.find((error) => error instanceof OriginError);
}

function unauthorized(
  schemes: readonly NamedScheme[],
  realm: string,
  refusals: Refusals = new Map(),
): HttpError {
  const isRefused = refusals.size > 0;
  const message = isRefused ? "The credentials are not valid" : "Authentication is required";
  const challenges = challengesOf(schemes, realm, refusals);
  return new HttpError(401, message, { headers: { "WWW-Authenticate": challenges, ...NO_STORE } });
}
