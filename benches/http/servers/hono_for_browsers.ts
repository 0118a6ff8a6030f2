import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { ORIGIN } from "../fields.ts";

/** The middleware that Hono has for CORS and security headers. */
export const FOR_BROWSERS: readonly MiddlewareHandler[] = [
  cors({ origin: [ORIGIN] }),
  secureHeaders(),
];
