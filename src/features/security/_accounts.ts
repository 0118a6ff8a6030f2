import type { Principal } from "./types.ts";
import { equalSecrets, refuseUnknownOptions } from "../../text/mod.ts";

/** What to do about a secret that is empty. */
export const UNSET = "set the environment variable or configuration key that it comes from";

interface Accounts<A extends readonly string[]> {
  readonly option: string;
  readonly list?: readonly (readonly [secret: string, owner: Principal])[];
  /** Unique key of an entry. @default the secret */
  readonly identityOf?: (owner: Principal) => string;
  readonly verify?: (...credentials: A) => Found | Promise<Found>;
  readonly knownRoles?: readonly string[];
  readonly secretOf: (...credentials: A) => string;
}

/** Many database clients return `null` for a missing row. */
type Found = Principal | undefined | null;

/** Finds the owner of credentials; `roles` are all possible roles, if known. */
interface Finder<A extends readonly string[]> {
  readonly find: (...credentials: A) => Promise<Principal | undefined>;
  readonly roles?: readonly string[];
}

/** In constant time for a list. @throws {TypeError} for both or neither, and for a duplicate */
export async function finderOf<A extends readonly string[]>(
  { option, list = [], identityOf, verify, knownRoles, secretOf }: Accounts<A>,
): Promise<Finder<A>> {
  if (list.length > 0 === (verify !== undefined)) {
    throw new TypeError(`expected one of '${option}' and 'verify'`);
  }
  if (verify) {
    return {
      find: async (...credentials) => await verify(...credentials) ?? undefined,
      ...(knownRoles && { roles: knownRoles }),
    };
  }
  if (knownRoles) throw new TypeError("'knownRoles' can only be given together with 'verify'");
  const known: Keyed<Principal>[] = [];
  const identities = new Set<string>();
  for (const [secret, owner] of list) {
    const identity = identityOf?.(owner) ?? secret;
    if (identities.has(identity)) {
      throw new TypeError(`expected unique '${option}', but '${owner.name}' repeats one`);
    }
    identities.add(identity);
    known.push({ digest: await digestOf(secret), value: frozenCopy(owner) });
  }
  return {
    find: (...credentials) => ownerOf(secretOf(...credentials), known),
    roles: [...new Set(list.flatMap(([, { roles = [] }]) => roles))],
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

export async function named<T>(scheme: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    // Neither the message nor the cause contains a secret.
    throw new TypeError(`Cannot use the scheme '${scheme}': ${(error as Error).message}`);
  }
}

/** SHA-256 of a text, so that secrets of all lengths are compared in the same time. */
async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

interface Keyed<T> {
  readonly digest: Uint8Array;
  readonly value: T;
}

/** The owner of a secret. Compares every digest completely, so that the time does not depend on the secret. */
async function ownerOf<T>(secret: string, all: readonly Keyed<T>[]): Promise<T | undefined> {
  const given = await digestOf(secret);
  let found: T | undefined;
  for (const { digest, value } of all) {
    if (equalSecrets(given, digest)) found = value;
  }
  return found;
}
