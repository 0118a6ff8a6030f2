import { HttpError } from "../../http/mod.ts";
import { argon2id } from "../../runtime/web.ts";
import { equalSecrets, refuseUnknownOptions } from "../../text/mod.ts";

/** How passwords are hashed: the time grows with each number. */
export interface PasswordOptions {
  /** By default Argon2id where the runtime has it (Node 24.7 and later, Deno, Bun), else PBKDF2. */
  readonly algorithm?: "argon2id" | "pbkdf2-sha256";
  /** Memory of Argon2id in KiB. @default 19456 (OWASP Password Storage Cheat Sheet) */
  readonly memory?: number;
  /** Passes of Argon2id over its memory. @default 2 (OWASP) */
  readonly passes?: number;
  /** Iterations of PBKDF2 with HMAC-SHA-256. @default 600000 (OWASP) */
  readonly iterations?: number;
}

/**
 * Hashes a password with a new salt. It is normalized by NFKC before (NIST SP 800-63B), as keyboards send the same character
 * in several forms.
 *
 * @param password 1 to 1024 UTF-16 code units
 * @returns a PHC string with algorithm, parameters and salt: `$argon2id$v=19$m=19456,t=2,p=1$…$…`
 * @throws {RangeError} if the password is empty or longer
 * @throws {TypeError} if an option is invalid, or the runtime lacks Argon2id
 * @throws {HttpError} 503 if too many passwords are being hashed
 */
export async function hashPassword(
  password: string,
  options: PasswordOptions = {},
): Promise<string> {
  if (password === "" || password.length > MOST_CHARACTERS) {
    throw new RangeError(`Cannot hash a password: expected 1 to ${MOST_CHARACTERS} characters`);
  }
  const prefix = prefixOf(options);
  const salt = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}${base64(salt)}$${base64(await derive(prefix, password, salt, 32))}`;
}

/**
 * Whether a hash is that of a password, compared in constant time.
 *
 * @param hash of {@linkcode hashPassword}; that of an unknown user, `undefined` or `null`, takes the same time
 * @param options those of {@linkcode hashPassword}, for unknown users
 * @throws {TypeError} for a hash in another format, such as that of bcrypt, or of Argon2id if the runtime lacks it
 * @throws {HttpError} 503 if too many passwords are being hashed
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined | null,
  options: PasswordOptions = {},
): Promise<boolean> {
  if (password.length > MOST_CHARACTERS) return false;
  const known = hash ?? `${prefixOf(options)}${OF_NO_PASSWORD}`;
  const { prefix, salt, tag } = HASH.exec(known)?.groups ?? {};
  if (prefix === undefined || salt === undefined || tag === undefined) throw unsupported(known);
  const expected = bytesOf(tag);
  const found = await derive(prefix, password, bytesOf(salt), expected.length);
  return equalSecrets(found, expected) && known === hash;
}

/**
 * Whether a password should be hashed again when it is known, at login: its hash has another algorithm or other parameters
 * than {@linkcode hashPassword} would use now.
 *
 * @throws {TypeError} if an option is invalid
 */
export function needsRehash(hash: string, options: PasswordOptions = {}): boolean {
  return !hash.startsWith(prefixOf(options));
}

/** More than any password manager makes; NIST SP 800-63B wants 64. */
const MOST_CHARACTERS = 1024;

/** A few seconds each: a hash that takes longer keeps all other users waiting. RFC 9106 names up to 2 GiB once. */
const MOST_MEMORY = 2 ** 22;
const MOST_ITERATIONS = 10_000_000;

/** Parameters in the form of PHC strings. */
const PREFIX = "\\$argon2id\\$v=19\\$m=(?<memory>[1-9]\\d{0,6}),t=(?<passes>[1-9]\\d{0,2})," +
  "p=(?<parallelism>[1-9]\\d?)\\$|\\$pbkdf2-sha256\\$i=(?<iterations>[1-9]\\d{0,7}),l=\\d\\d\\$";
const BASE64 = "(?:[A-Za-z0-9+/]{4}){2,21}(?:[A-Za-z0-9+/]{2,3})?";
const HASH = new RegExp(`^(?<prefix>${PREFIX})(?<salt>${BASE64})\\$(?<tag>${BASE64})$`);
const PARAMETERS = new RegExp(`^(?:${PREFIX})$`);

/** A salt and a hash of zeros. */
const OF_NO_PASSWORD = `${"A".repeat(22)}$${"A".repeat(43)}`;

const OPTIONS: readonly (keyof PasswordOptions)[] = ["algorithm", "memory", "passes", "iterations"];

/** The prefix before the salt. @throws {TypeError} */
function prefixOf(options: PasswordOptions): string {
  refuseUnknownOptions(options, OPTIONS, refusal);
  const { memory = 19_456, passes = 2, iterations = 600_000 } = options;
  const { algorithm = argon2id() ? "argon2id" : "pbkdf2-sha256" } = options;
  const argon2 = `$argon2id$v=19$m=${memory},t=${passes},p=1$`;
  const pbkdf2 = `$pbkdf2-sha256$i=${iterations},l=32$`;
  if (!PARAMETERS.test(argon2) || !PARAMETERS.test(pbkdf2)) {
    throw refusal(
      "expected whole numbers: 'memory' below 10000000, 'passes' below 1000, 'iterations' below 100000000",
    );
  }
  if (algorithm === "argon2id") return argon2;
  if (algorithm === "pbkdf2-sha256") return pbkdf2;
  throw refusal(`expected the algorithm 'argon2id' or 'pbkdf2-sha256', found '${algorithm}'`);
}

/** One processor is left to the event loop, and one of Node's four threads to files and name resolution. */
let free = Math.min(Math.max((globalThis.navigator?.hardwareConcurrency ?? 2) - 1, 1), 3);
const waiting: (() => void)[] = [];

/** About ten seconds of work for one processor. */
const MOST_WAITING = 100;

/** A few at a time, in their order: each takes a processor for a tenth of a second. @throws {HttpError} 503 for too many */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--;
  else if (waiting.length < MOST_WAITING) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    const headers = { "Retry-After": "1" };
    throw new HttpError(503, "Too many passwords are being hashed", { headers });
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

/** @param prefix one that {@linkcode HASH} accepts */
async function derive(
  prefix: string,
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<Uint8Array> {
  const { memory, iterations, ...others } = PARAMETERS.exec(prefix)?.groups ?? {};
  const work = Number(memory ?? 0) * Number(others.passes) || Number(iterations);
  if (work > (memory === undefined ? MOST_ITERATIONS : MOST_MEMORY)) {
    throw refusal(
      `expected at most ${MOST_MEMORY} KiB of memory times passes, or ${MOST_ITERATIONS} iterations: more takes too long`,
    );
  }
  const bytes = new TextEncoder().encode(password.normalize("NFKC"));
  if (memory === undefined) {
    return await inTurn(() => pbkdf2(bytes, salt, Number(iterations), length));
  }
  const derived = argon2id();
  if (derived === undefined) {
    throw refusal("this runtime has no Argon2id: it needs Node 24.7 or later, Deno or Bun");
  }
  return await inTurn(() =>
    derived(bytes, {
      salt,
      length,
      memory: Number(memory),
      passes: Number(others.passes),
      parallelism: Number(others.parallelism),
    })
  );
}

async function pbkdf2(
  password: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
  length: number,
): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

/** Names the format and nothing else: the hash is a secret. */
function unsupported(hash: string): TypeError {
  const [name = "another format"] = /^\$[\w-]{1,20}\$/.exec(hash) ?? [];
  return refusal(
    "expected a hash in the form '$argon2id$v=19$m=…,t=…,p=…$…$…' or '$pbkdf2-sha256$i=…,l=…$…$…', " +
      `found ${name.startsWith("$") ? `'${name}…'` : name}`,
  );
}

function refusal(reason: string): TypeError {
  return new TypeError(`Cannot use a password: ${reason}`);
}

/** Without padding, as PHC strings have it. */
function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
