/** SHA-256 of a text, so that secrets of all lengths are compared in the same time. */
export async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

export interface Keyed<T> {
  readonly digest: Uint8Array;
  readonly value: T;
}

/** The owner of a secret. Compares every digest completely, so that the time does not depend on the secret. */
export async function ownerOf<T>(secret: string, all: readonly Keyed<T>[]): Promise<T | undefined> {
  const given = await digestOf(secret);
  let found: T | undefined;
  for (const { digest, value } of all) {
    let difference = 0;
    for (let index = 0; index < given.length; index++) {
      difference |= (given[index] ?? 0) ^ (digest[index] ?? 0);
    }
    if (difference === 0) found = value;
  }
  return found;
}
