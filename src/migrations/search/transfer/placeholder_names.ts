import { declaredPlaceholders, replaceParts } from "../../../text/mod.ts";

/**
 * A name for the placeholder of a secret, `USER_ADA_PASSWORD`. It depends on the arguments alone, so that files agree on
 * it, and no two users get one secret.
 * @param subject the owner of the secret: `USER`, `REPOSITORY` @param name of the owner @param secret `PASSWORD`
 */
export function placeholderName(subject: string, name: string, secret: string): string {
  return `${subject}_${distinct(name)}_${capitals(secret)}`;
}

/** A run would fill `${name}`; `$${name}` is the text itself. */
export function escapedText(text: string, isDeclared: (name: string) => boolean): string {
  const declared = [...declaredPlaceholders(text, isDeclared)];
  return replaceParts(
    text,
    declared.map(({ start, end }) => ({ start, end, text: `$${text.slice(start, end)}` })),
  ).text;
}

/** `log-reader` is `LOG_READER`, `log_reader` is `LOG__READER`; any other name gets a hash. */
function distinct(name: string): string {
  if (/^[a-z\d]+(?:[-_][a-z\d]+)*$/.test(name)) return capitals(name.replaceAll("_", "__"));
  const hash = nameHash(new TextEncoder().encode(name)).slice(0, 8);
  return `${capitals(name).replace(/^_+|_+$/g, "").replace(/_+/g, "_")}___${capitals(hash)}`;
}

function capitals(text: string): string {
  return text.replace(/[^A-Za-z\d]/g, "_").toUpperCase();
}

/** FNV-1a of 64 bits, as 16 hexadecimal digits; not for secrets. */
export function nameHash(name: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of name) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
