import {
  type DeclaredPlaceholder,
  declaredPlaceholders,
  isSecretPlaceholder,
} from "../../../text/mod.ts";
import { inParallel, type MigrationFile, sha256 } from "../../runner/mod.ts";
import type { Placeholders, PlaceholderValue } from "../types.ts";

/**
 * The files with what is filled into each (ADR 150), in the same order.
 *
 * @throws {InvalidFilesError} when one cannot be read, or was changed since it was hashed
 */
export async function withValues(
  files: readonly MigrationFile[],
  placeholders: Placeholders,
): Promise<readonly MigrationFile[]> {
  return await inParallel(files, AT_ONCE, async (file) => {
    const values = await valuesIn(await file.read(), placeholders);
    return values ? { ...file, values } : file;
  });
}

/** How many files are in memory at once. */
const AT_ONCE = 4;

/** The placeholders of a text that are declared. */
export function usedIn(
  source: string,
  placeholders: Placeholders,
): readonly DeclaredPlaceholder[] {
  return [...declaredPlaceholders(source, (name) => Object.hasOwn(placeholders, name))];
}

async function valuesIn(
  bytes: Uint8Array,
  placeholders: Placeholders,
): Promise<MigrationFile["values"]> {
  if (!hasOpening(bytes)) return undefined;
  // What is no UTF-8 is refused where it is read as JSON.
  const used = usedIn(new TextDecoder().decode(bytes), placeholders);
  if (used.length === 0) return undefined;
  const escaped = namesOf(used.filter(({ isEscaped }) => isEscaped));
  const filled = namesOf(used.filter(({ isEscaped }) => !isEscaped));
  const secretNames = filled.filter((name) => hasSecret(name, placeholders[name]!.data));
  const facts = [
    ...filled.map((name) => [name, publicPart(name, placeholders[name]!)]),
    // A name that comes to be declared changes these, too.
    ...escaped.map((name) => [`$${name}`]),
  ];
  const secrets = await checkOf(secretNames, placeholders);
  return {
    hash: await sha256(encode(JSON.stringify(facts))),
    ...(secrets !== undefined && { secrets }),
    names: filled.filter((name) => !isSecretPlaceholder(name)),
    secretNames,
  };
}

const DOLLAR = 0x24;
const BRACE = 0x7b;

function hasOpening(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(DOLLAR); at >= 0; at = bytes.indexOf(DOLLAR, at + 1)) {
    if (bytes[at + 1] === BRACE) return true;
  }
  return false;
}

function namesOf(used: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(used.map(({ name }) => name))].sort();
}

/** Whether a value, or a part of it, has a name that says that it is secret. */
function hasSecret(name: string, value: unknown): boolean {
  if (isSecretPlaceholder(name)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, item]) => hasSecret(key, item));
}

/** A value without what is secret, its keys in one order: `null` where that is all of it. */
function publicPart(name: string, { data, json }: PlaceholderValue): unknown {
  if (isSecretPlaceholder(name)) return null;
  // A number as it is sent: `1.0` and `1` are two texts.
  return typeof data === "object"
    ? ["object", sorted(data, (key) => !isSecretPlaceholder(key))]
    : [typeof data, json];
}

function sorted(value: unknown, isKept: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item, isKept));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => isKept(key))
      .sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) => [key, sorted(item, isKept)]),
  );
}

/**
 * Eight bits for all secrets of a file. Each secret has the same eight in every file, and files have the sum: many records
 * tell of a secret no more than one does.
 */
async function checkOf(
  names: readonly string[],
  placeholders: Placeholders,
): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  let sum = 0;
  for (const name of names) {
    const { data, json } = placeholders[name]!;
    // The order of keys has no meaning.
    const value = isMapOrList(data) ? JSON.stringify(sorted(data, () => true)) : json;
    const hash = await sha256(encode(JSON.stringify(["secret", name, value])));
    sum += parseInt(hash.slice(0, 2), 16);
  }
  return (sum % 256).toString(16).padStart(2, "0");
}

function isMapOrList(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
