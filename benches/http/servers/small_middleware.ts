import type { MiddlewareHandler } from "hono";

/** One reads a header before the handler, one sets a header behind it. */
export const SMALL: readonly MiddlewareHandler[] = [
  async (context, next) => {
    if (context.req.header("x-blocked") !== undefined) return context.text("blocked", 403);
    await next();
  },
  async (context, next) => {
    await next();
    context.header("X-Served-By", "bench");
  },
];
