import { type Configurable, configured } from "../../app/mod.ts";
import type { HttpRequest } from "../../http/mod.ts";
import { PackageNotFoundError } from "../../runtime/mod.ts";
import { equalSecrets, refuseUnknownOptions } from "../../text/mod.ts";
import { BadCredentialsError } from "./errors.ts";
import type { AuthenticationScheme, Principal, SchemeFactory } from "./types.ts";

/** The advice for a secret that is empty. */
export const UNSET = "set the environment variable or configuration key that it comes from";

/** A scheme whose options are read from the configuration, and checked. @throws {TypeError} that names the scheme */
export function factoryOf<O extends object>(
  given: Configurable<O>,
  known: readonly (string & keyof O)[],
  make: (options: O, isDescribed: boolean) => Promise<AuthenticationScheme>,
): SchemeFactory {
  return {
    "~scheme": async (config, name, isDescribed) => {
      const options = await configured(given, config);
      try {
        checkOptions(options, known);
        return await make(options, isDescribed);
      } catch (error) {
        if (error instanceof PackageNotFoundError) throw error;
        // Neither the message nor the cause contains a secret.
        throw new TypeError(`Cannot use the scheme '${name}': ${(error as Error).message}`);
      }
    },
  };
}

interface Accounts<A extends readonly string[]>
  extends Pick<AuthenticationScheme, "challenge" | "openApi"> {
  /** Credentials of a request; `undefined` without any. @throws {BadCredentialsError} */
  readonly read: (request: HttpRequest) => A | undefined;
  readonly refusal: string;
  readonly option: string;
  /** The secret of an owner is what {@linkcode read} returns, joined by colons. */
  readonly list?: readonly (readonly [identity: string, secret: string, owner: Principal])[];
  readonly verify?: (...credentials: A) => MaybePrincipal | Promise<MaybePrincipal>;
  readonly knownRoles?: readonly string[];
}

/** Many database clients return `null` for a missing row. */
type MaybePrincipal = Principal | undefined | null;

/** Finds the owner of credentials, in constant time for a list. @throws {TypeError} for both or neither, and for a duplicate */
export async function accountScheme<A extends readonly string[]>(
  { read, refusal, option, list = [], verify, knownRoles, ...described }: Accounts<A>,
): Promise<AuthenticationScheme> {
  if (list.length > 0 === (verify !== undefined)) {
    throw new TypeError(`expected one of '${option}' and 'verify'`);
  }
  if (knownRoles && !verify) {
    throw new TypeError("'knownRoles' can only be given together with 'verify'");
  }
  const roles = verify
    ? knownRoles
    : [...new Set(list.flatMap(([, , owner]) => owner.roles ?? []))];
  const find = verify ?? await listed(option, list);
  return {
    ...described,
    ...(roles && { roles }),
    async authenticate(request) {
      const credentials = read(request);
      if (credentials === undefined) return undefined;
      const user = await find(...credentials);
      if (!user) throw new BadCredentialsError(refusal);
      return user;
    },
  };
}

async function listed(option: string, list: NonNullable<Accounts<readonly string[]>["list"]>) {
  const known: { readonly digest: Uint8Array; readonly owner: Principal }[] = [];
  const identities = new Set<string>();
  for (const [identity, secret, owner] of list) {
    if (identities.has(identity)) {
      throw new TypeError(`expected unique '${option}', but '${owner.name}' repeats one`);
    }
    identities.add(identity);
    known.push({ digest: await digestOf(secret), owner: frozenCopy(owner) });
  }
  return async (...credentials: readonly string[]) => {
    const given = await digestOf(credentials.join(":"));
    // Compares every digest completely, so that the time does not depend on the secret.
    return known.filter(({ digest }) => equalSecrets(given, digest)).at(-1)?.owner;
  };
}

/** All requests of a user share the object: no handler may change it. */
function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  if (typeof value !== "object" || value === null) return value;
  // A copy of a class instance would lose its class.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, frozenCopy(inner)]);
  return Object.freeze(Object.fromEntries(entries)) as T;
}

/** @throws {TypeError} for missing or unknown options */
export function checkOptions<T extends object>(
  options: T,
  known: readonly (string & keyof T)[],
): void {
  if (typeof options !== "object" || options === null) throw new TypeError("expected options");
  refuseUnknownOptions(options, known, (message) => new TypeError(message));
}

/** SHA-256 of a text, so that secrets of all lengths are compared in the same time. */
async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
