import type { Context } from "hono";
import { withAppendedHeader } from "../http/mod.ts";

/**
 * Makes `response` the one of its context, with what `context.header()` was told before there was one: Hono
 * adds that only to responses that it makes itself. A header that the response has already stays as it is;
 * cookies add up. Does nothing where the context has its response.
 */
export function commit(context: Context, response: Response): Response {
  if (context.finalized) return response;
  // That of an upgrade is the runtime's.
  if (response.status === 101) return context.res = response;
  let result = response;
  for (const [name, value] of context.body(null).headers) {
    if (name !== "set-cookie" && response.headers.has(name)) continue;
    result = withAppendedHeader(result, name, value);
  }
  // Cleared first: Hono would let the cookies that were prepared replace those of the handler.
  context.res = undefined;
  context.res = result;
  return result;
}
