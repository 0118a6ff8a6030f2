import { defined, hexOf } from "../../text/mod.ts";
import type { MigrationRecord } from "./types.ts";

/** SHA-256 of bytes that come part by part, so that a large file need not be in memory. */
export async function sha256OfChunks(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  // Web Crypto wants all at once; few runs need more.
  const { crypto } = await import("@std/crypto");
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", chunks)));
}

export type FileContent = Pick<MigrationRecord, "hash" | "values">;

export function contentOf({ hash, values }: FileContent): FileContent {
  if (values === undefined) return { hash };
  return { hash, values: defined({ hash: values.hash, secrets: values.secrets }) };
}

/** The bytes of a file and the values that are filled into it, as one text. */
export function contentKey({ hash, values }: FileContent): string {
  return values ? `${hash}-${values.hash}` : hash;
}

/** Whether two contents are the same, secrets aside: a password that was changed is no reason to do a file again. */
export function isSameContent(one: FileContent | undefined, other: FileContent): boolean {
  return one?.hash === other.hash && one.values?.hash === other.values?.hash;
}

export function hasOtherSecrets(one: FileContent | undefined, other: FileContent): boolean {
  return isSameContent(one, other) && one?.values?.secrets !== other.values?.secrets;
}

export function hashesOf(
  files: readonly { readonly path: string; readonly hash: string }[],
): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, hash }) => [path, hash]));
}
