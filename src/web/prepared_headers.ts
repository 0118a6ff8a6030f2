import type { Context } from "hono";
import { withAppendedHeader } from "../http/mod.ts";

/**
 * Sets `response` as the one of its context, with the headers of earlier calls of `context.header()`, which Hono
 * adds only to responses of its own. A header of the response takes precedence; cookies are added. Does nothing if the
 * context has a response.
 */
export function commit(context: Context, response: Response): Response {
  if (context.finalized) return response;
  // The response of an upgrade belongs to the runtime.
  if (response.status === 101) return context.res = response;
  let result = response;
  for (const [name, value] of context.body(null).headers) {
    if (name !== "set-cookie" && response.headers.has(name)) continue;
    result = withAppendedHeader(result, name, value);
  }
  return replaceResponse(context, result);
}

/** Sets the response of a context. Cleared first: Hono would merge the headers of the response that it replaces. */
export function replaceResponse(context: Context, response: Response): Response {
  context.res = undefined;
  context.res = response;
  return response;
}
