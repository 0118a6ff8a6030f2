import type { Context } from "hono";
import { withHeader } from "../../http/mod.ts";
import { commit, replaceResponse } from "./chain.ts";

/** Headers that control caching. */
const CACHING = ["Cache-Control", "Expires", "Pragma"];

/** Responses for one user must not be stored by a shared cache (RFC 9111, 5.2.2.5). */
export const NO_STORE = { "Cache-Control": "no-store" } as const;

/** The response with {@linkcode NO_STORE}, unless it has caching headers or is a 304 or 101. */
export function withNoStore(response: Response): Response {
  const { status, headers } = response;
  if (status === 101 || status === 304 || CACHING.some((name) => headers.has(name))) {
    return response;
  }
  return withHeader(response, "Cache-Control", NO_STORE["Cache-Control"]);
}

/** The same after {@linkcode commit}: prepared headers may control caching, too. */
export function committedWithNoStore(context: Context, response: Response): Response {
  const committed = commit(context, response);
  const result = withNoStore(committed);
  if (result === committed) return result;
  return replaceResponse(context, result);
}
