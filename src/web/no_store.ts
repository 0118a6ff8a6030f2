import type { Context } from "hono";
import { withHeader } from "../http/mod.ts";
import { commit } from "./prepared_headers.ts";

/** What an answer says of caching where it says something. */
const CACHING = ["Cache-Control", "Expires", "Pragma"];

/** For answers that are for one user: no cache on the way keeps them for others (RFC 9111, 5.2.2.5). */
export const NO_STORE = { "Cache-Control": "no-store" } as const;

/** The response with {@linkcode NO_STORE}, unless it speaks of caching, is none of its own (304) or an upgrade's (101). */
export function withNoStore(response: Response): Response {
  const { status, headers } = response;
  if (status === 101 || status === 304 || CACHING.some((name) => headers.has(name))) {
    return response;
  }
  return withHeader(response, "Cache-Control", NO_STORE["Cache-Control"]);
}

/** The same after what middleware has prepared, which may speak of caching, too. */
export function committedWithNoStore(context: Context, response: Response): Response {
  const committed = commit(context, response);
  const result = withNoStore(committed);
  if (result === committed) return result;
  // Cleared first: Hono would add the headers of the response that it replaces.
  context.res = undefined;
  context.res = result;
  return result;
}
