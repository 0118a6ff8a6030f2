import { type MigrationFile, sha256 } from "../../../src/migrations/runner/mod.ts";

/** A migration file with this content. */
export async function fileOf(path: string, content: string | Uint8Array): Promise<MigrationFile> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { path, location: `/m/${path}`, bytes, hash: await sha256(bytes) };
}
