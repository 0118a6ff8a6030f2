import type { Context } from "hono";
import { HttpError, type HttpRequest } from "../../http/mod.ts";
import { NO_STORE } from "../../runtime/mod.ts";
import { isThenable } from "../../text/mod.ts";
import type { FailureLog, RequestMaker, Subject } from "../../web/mod.ts";
import { challengesOf } from "./challenges.ts";
import { AuthenticationUnavailableError, BadCredentialsError, OriginError } from "./errors.ts";
import { testUserOf } from "./test_users.ts";
import type { NamedScheme, Principal } from "./types.ts";

interface Proof {
  readonly user: Principal;
  readonly by: NamedScheme;
  readonly of: Authenticator;
}

/** Of all applications: one that mounts another shares contexts with it. */
const proofs = new WeakMap<Subject, Proof>();

/** The user of a context, whichever application has authenticated it last. */
export function lastUserOf(context: Context): Principal | undefined {
  return proofs.get(context)?.user;
}

/** Tries the schemes in order, once per request. Synchronous as long as the schemes are. */
export class Authenticator {
  readonly #seen = new WeakSet<Subject>();

  constructor(
    readonly schemes: readonly NamedScheme[],
    readonly realm: string,
    readonly requestOf: RequestMaker = () => {
      throw new TypeError("Cannot authenticate a request: the application is not started");
    },
  ) {}

  userOf(subject: Subject): Principal | undefined {
    return this.#proofOf(subject)?.user;
  }

  /** Differs between users of one name in two schemes. */
  identityOf(subject: Subject): string | undefined {
    const proof = this.#proofOf(subject);
    return proof && JSON.stringify([proof.by.name, proof.user.name]);
  }

  hasSeenContext(subject: Subject): boolean {
    return this.#seen.has(keyOf(subject));
  }

  opened(from: Subject, to: Subject): void {
    const proof = proofs.get(from);
    if (proof) proofs.set(to, proof);
  }

  refusalHeaders(subject: Subject): Readonly<Record<string, string>> {
    const { challenge } = this.#proofOf(subject)?.by.scheme ?? {};
    if (challenge !== "Bearer") return {};
    return { "WWW-Authenticate": `Bearer realm="${this.realm}", error="insufficient_scope"` };
  }

  /** Authenticates the request. @throws {HttpError} 401 if the credentials are invalid, 503 if they cannot be verified */
  identify(subject: Subject, log: FailureLog): boolean | Promise<boolean> {
    if (this.#proofOf(subject) || this.#isTested(subject)) return true;
    const request = "req" in subject ? this.requestOf(subject) : subject.unrouted();
    return this.#attempt(new Attempt(subject, request), 0, log);
  }

  unauthorized(failed: Parameters<typeof challengesOf>[2] = new Map()): HttpError {
    const message = failed.size === 0
      ? "Authentication is required"
      : "The credentials are not valid";
    const headers = {
      "WWW-Authenticate": challengesOf(this.schemes, this.realm, failed),
      ...NO_STORE,
    };
    return new HttpError(401, message, { headers });
  }

  /** Of a request by `asUser()` of `./testing`. */
  #isTested(subject: Subject): boolean {
    const user = "req" in subject ? testUserOf(subject.req.raw) : undefined;
    const [by] = this.schemes;
    if (user && by) proofs.set(subject, { user, by, of: this });
    return user !== undefined && by !== undefined;
  }

  #attempt(attempt: Attempt, first: number, log: FailureLog): boolean | Promise<boolean> {
    const { request } = attempt;
    for (let index = first; index < this.schemes.length; index++) {
      const by = this.schemes[index]!;
      try {
        const found = by.scheme.authenticate(request);
        if (isThenable(found)) {
          return Promise.resolve(found).then(
            (user) => this.#prove(attempt, by, user) || this.#attempt(attempt, index + 1, log),
            (error) => {
              attempt.note(by, error);
              return this.#attempt(attempt, index + 1, log);
            },
          );
        }
        if (this.#prove(attempt, by, found)) return true;
      } catch (error) {
        attempt.note(by, error);
      }
    }
    if (attempt.unavailable) throw attempt.unavailable;
    const { failed } = attempt;
    if (failed.size === 0) return false;
    for (const [{ name }, error] of failed) {
      const { method, path } = request;
      const reason = error instanceof OriginError ? error.reason : error.message;
      log(`Cannot authenticate ${method} ${path} by '${name}': ${reason}`, undefined, "DEBUG");
    }
    const foreign = [...failed.values()].find((error) => error instanceof OriginError);
    throw foreign ?? this.unauthorized(failed);
  }

  /** @throws {TypeError} when a scheme returns an invalid principal */
  #prove(
    { subject, request }: Attempt,
    by: NamedScheme,
    user: Principal | undefined,
  ): boolean {
    if (request.isContextSeen) this.#seen.add(keyOf(subject));
    if (user === undefined) return false;
    if (user === null) throw new BadCredentialsError("Unknown credentials");
    const areRoles = user.roles === undefined || Array.isArray(user.roles);
    if (typeof user !== "object" || typeof user.name !== "string" || !areRoles) {
      throw new TypeError(
        `Scheme '${by.name}' returned an invalid principal: expected { name, roles? }`,
      );
    }
    proofs.set(keyOf(subject), { user, by, of: this });
    return true;
  }

  #proofOf(subject: Subject): Proof | undefined {
    const proof = proofs.get(keyOf(subject));
    return proof?.of === this ? proof : undefined;
  }
}

function keyOf(request: Subject): Subject {
  return "req" in request ? request : request.subject;
}

class Attempt {
  readonly failed = new Map<NamedScheme, BadCredentialsError | OriginError>();
  unavailable?: AuthenticationUnavailableError;

  constructor(readonly subject: Subject, readonly request: HttpRequest) {}

  /** The next scheme may succeed; other errors are failures of the application. */
  note(by: NamedScheme, error: unknown): void {
    if (error instanceof BadCredentialsError || error instanceof OriginError) {
      this.failed.set(by, error);
    } else if (error instanceof AuthenticationUnavailableError) this.unavailable ??= error;
    else throw error;
  }
}
