import { printable } from "./printable.ts";

const SECRET = new RegExp(
  [
    "pass(?:word|phrase|wd|code|key)?s?(?![a-z])",
    "(?:^|[-_.])pw(?![a-z])|pwd|secret|token|credential|private|authorization",
    "(?:api|client|access|signing|encryption)[-_]?key",
    "(?:^|[-_.\\]])key$",
  ].join("|"),
  "i",
);

export function isSecret(name: string): boolean {
  return SECRET.test(name);
}

/** Whether a placeholder is named like a secret, or is part of what is: `key.id`. */
export function isSecretPlaceholder(name: string): boolean {
  return isSecret(name) || name.split(".").some(isSecret);
}

/**
 * The values of placeholders that are named like secrets, with what is shown in their place, for {@linkcode masker}. Of maps
 * and lists those below such a name; `true` and `false` are no secrets.
 */
export function secretPlaceholders(
  placeholders: Readonly<Record<string, unknown>>,
): readonly (readonly [value: string, shown: string])[] {
  return Object.entries(placeholders).flatMap(([name, value]) =>
    secretLeaves(name, value).map((leaf) => [leaf, `\${${name}}`] as const)
  );
}

function secretLeaves(name: string, value: unknown, isBelow = false): readonly string[] {
  const hidden = isBelow || isSecretPlaceholder(name);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => secretLeaves(key, item, hidden));
  }
  const isLeaf = typeof value === "string" || typeof value === "number";
  return hidden && isLeaf ? [String(value)] : [];
}

/** Facts for a line that people read, as `name=value`; what looks like a secret by its name is left out. */
export function factsOf(properties: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(properties)
    .filter(([name, value]) => !(value instanceof Error) && !isSecret(name))
    .map(([name, value]) => `${printable(name)}=${quoteIfNeeded(value)}`);
}

/** A text with spaces or line breaks in quotes, so that it cannot forge a line or another fact. Never throws. */
function quoteIfNeeded(value: unknown): string | undefined {
  if (typeof value === "string" && !/[\s"\p{C}]/u.test(value)) return value;
  try {
    return JSON.stringify(value, (name, inner) => {
      if (isSecret(name)) return undefined;
      return typeof inner === "bigint" ? `${inner}` : inner;
    });
  } catch {
    return "…"; // A value that contains itself would never end.
  }
}

/** Compares all bytes, so that the time does not depend on where they differ. */
export function equalSecrets(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) {
    difference |= (one[index] ?? 0) ^ (other[index] ?? 0);
  }
  return difference === 0;
}
