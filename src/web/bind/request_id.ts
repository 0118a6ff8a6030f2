import type { Context } from "hono";

/**
 * The id that all log lines of a request and its answer share: that of Hono's `requestId` middleware, the client's (or
 * the proxy's) `X-Request-Id` if it is harmless, or a new one. Fixed when code first asks for it.
 */
export function requestIdOf(context: Context): string {
  const id = KNOWN.get(context) ?? harmlessId(
    context.get("requestId") ?? context.req.raw.headers.get("x-request-id"),
  );
  KNOWN.set(context, id);
  return id;
}

/** For an id that was asked for before there was a context. */
export function fixRequestId(context: Context, id: string): void {
  KNOWN.set(context, id);
}

export function harmlessId(given: unknown): string {
  // The same maximum length as in Hono.
  const isHarmless = typeof given === "string" && /^[\w.:=+-]{1,255}$/.test(given);
  return isHarmless ? given : crypto.randomUUID();
}

const KNOWN = new WeakMap<Context, string>();
