import type { Context } from "hono";
import type { Responder } from "../web/mod.ts";

/** Gives the bytes of an asset. */
export type AssetSource = () => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Answers with what never changes while the application runs. It is read when it is first asked for and kept; a reader
 * that has it already is told so by its entity tag (RFC 9110, 8.8.3 and 13.1.2).
 */
export function assetResponder(
  load: AssetSource,
  headers: Readonly<Record<string, string>>,
): Responder {
  let asset: Promise<Asset> | undefined;
  return async ({ req }: Context) => {
    asset ??= tagged(load);
    const { bytes, tag } = await asset.catch((error) => {
      asset = undefined; // May be there the next time.
      throw error;
    });
    const all = { ...headers, "Cache-Control": "no-cache", ETag: tag };
    return matches(req.header("If-None-Match"), tag)
      ? new Response(null, { status: 304, headers: all })
      : new Response(bytes, { headers: all });
  };
}

interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its entity tag, quotes included. */
  readonly tag: string;
}

async function tagged(load: AssetSource): Promise<Asset> {
  const bytes = await load();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0"));
  return { bytes, tag: `"${hex.join("")}"` };
}

/** Whether `If-None-Match` names the tag, by the weak comparison. */
function matches(header: string | undefined, tag: string): boolean {
  const names = header?.split(",").map((name) => name.trim().replace(/^W\//, "")) ?? [];
  return names.includes(tag) || names[0] === "*";
}
