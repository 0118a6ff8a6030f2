import { digestOf, type Keyed, ownerOf } from "./_digest.ts";
import { refuseUnknownOptions } from "./_options.ts";
import type { Principal } from "./types.ts";

/** Whom secrets belong to: a list, or a function that knows. */
export interface Accounts<A extends readonly string[]> {
  /** How the option with the list is called. */
  readonly option: string;
  /** With their secrets in full. */
  readonly list?: readonly (readonly [secret: string, owner: Principal])[];
  /** What no two of the list share. @default the secret */
  readonly identityOf?: (owner: Principal) => string;
  readonly verify?: (...credentials: A) => Found | Promise<Found>;
  readonly knownRoles?: readonly string[];
  /** Of credentials, as in the list. */
  readonly secretOf: (...credentials: A) => string;
}

/** `null` is what many clients of databases give for nobody. */
type Found = Principal | undefined | null;

/** Finds the owner of credentials; `roles` are all that there can be, where it is known. */
export interface Finder<A extends readonly string[]> {
  readonly find: (...credentials: A) => Promise<Principal | undefined>;
  readonly roles?: readonly string[];
}

/**
 * Compares secrets of a list in constant time, or asks the function.
 *
 * @throws {TypeError} when there are both or neither, or the list has one twice
 */
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
  if (knownRoles) throw new TypeError("expected 'knownRoles' beside 'verify' alone");
  const known: Keyed<Principal>[] = [];
  const identities = new Set<string>();
  for (const [secret, owner] of list) {
    const identity = identityOf?.(owner) ?? secret;
    if (identities.has(identity)) {
      throw new TypeError(`expected each of '${option}' once, found that of '${owner.name}' twice`);
    }
    identities.add(identity);
    known.push({ digest: await digestOf(secret), value: frozenCopy(owner) });
  }
  return {
    find: (...credentials) => ownerOf(secretOf(...credentials), known),
    roles: [...new Set(list.flatMap(([, { roles = [] }]) => roles))],
  };
}

/** Every request of somebody gets the same object: no handler may change who they are. */
function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  if (typeof value !== "object" || value === null) return value;
  // Instances of classes are shared on purpose, as a copy would not be one.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, frozenCopy(inner)]);
  return Object.freeze(Object.fromEntries(entries)) as T;
}

/** @throws {TypeError} when there are none, or one that nobody reads */
export function checkOptions<T extends object>(
  options: T,
  known: readonly (string & keyof T)[],
): void {
  if (typeof options !== "object" || options === null) throw new TypeError("expected options");
  refuseUnknownOptions(options, known, (message) => new TypeError(message));
}

/** What went wrong with a scheme, said with its name. */
export async function named<T>(scheme: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    // Neither what is thrown nor its cause shows what a secret is.
    throw new TypeError(`Cannot use the scheme '${scheme}': ${(error as Error).message}`);
  }
}
