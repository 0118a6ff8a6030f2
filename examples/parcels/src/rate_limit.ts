import type { Context } from "hono";
import { rateLimiter } from "hono-rate-limiter";
import { HttpRequest } from "irori";
import { currentUser } from "irori/security";

/** At most so many requests in a minute of each user, or, before users log in, of each address. */
export const rateLimit = (limit: number) =>
  rateLimiter({ windowMs: 60_000, limit, keyGenerator: senderOf });

function senderOf(context: Context): string {
  return currentUser(context)?.name ?? new HttpRequest(context).clientAddress ?? "";
}
