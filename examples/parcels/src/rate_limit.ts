import type { Context } from "hono";
import { rateLimiter } from "hono-rate-limiter";
import { HttpError, HttpRequest } from "irori";
import { currentUser } from "irori/security";

/** So many requests in a minute from each user, or from each address where users log in. */
export const rateLimit = (limit: number) =>
  rateLimiter({ windowMs: 60_000, limit, keyGenerator: senderOf, handler: refuse });

const refuse = () => Promise.reject(new HttpError(429, "Too many requests"));

function senderOf(context: Context): string {
  return currentUser(context)?.name ?? new HttpRequest(context).clientAddress ?? "";
}
