import type { Context } from "hono";

/**
 * The id that all log lines of a request and its answer share: that of Hono's `requestId` middleware, the client's (or
 * the proxy's) `X-Request-Id` where it is harmless, or a new one.
 */
export function requestIdOf(context: Context): string {
  const known: unknown = context.get("requestId") ?? context.req.raw.headers.get("x-request-id");
  if (typeof known === "string" && /^[\w.:=+-]{1,128}$/.test(known)) return known;
  const made = MADE.get(context) ?? crypto.randomUUID();
  MADE.set(context, made);
  return made;
}

const MADE = new WeakMap<Context, string>();
