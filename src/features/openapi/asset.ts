import type { Context } from "hono";
import { elementsOf, hexDigest } from "../../text/mod.ts";

export type AssetSource = () => Promise<Uint8Array<ArrayBuffer>>;

/** Answers with an asset that is read at the first request, or with 304 (RFC 9110, 8.8.3 and 13.1.2). */
export function assetResponder(
  load: AssetSource,
  fields: Readonly<Record<string, string>>,
): (context: Context) => Promise<Response> {
  let asset: ReturnType<typeof tagged> | undefined;
  return async ({ req }) => {
    // The next request tries again.
    const { bytes, tag } = await (asset ??= tagged(load)).catch((error) => {
      asset = undefined;
      throw error;
    });
    const headers = { ...fields, "Cache-Control": "no-cache", ETag: tag };
    return matches(req.header("If-None-Match"), tag)
      ? new Response(null, { status: 304, headers })
      : new Response(bytes, { headers });
  };
}

async function tagged(load: AssetSource) {
  const bytes = await load();
  return { bytes, tag: `"${(await hexDigest(bytes)).slice(0, 32)}"` };
}

function matches(header: string | undefined, tag: string): boolean {
  const names = elementsOf(header).map((name) => name.replace(/^W\//, ""));
  return names.includes(tag) || names[0] === "*";
}
