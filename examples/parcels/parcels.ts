import { rateLimiter } from "hono-rate-limiter";
import { requestContext, requestIdHeader } from "irori/context";
import { currentUser, jwt, security } from "irori/security";
import { tokenSettings } from "./src/couriers/token_settings.ts";

const perUser = rateLimiter({
  windowMs: 60_000,
  limit: 100,
  keyGenerator: (context) => currentUser(context)?.name ?? "",
});

/** The options of `bootstrap`, for the application and its tests. */
export const parcels = {
  root: import.meta.dirname,
  extensions: [
    requestIdHeader(),
    requestContext(),
    security({ schemes: { token: jwt(tokenSettings) }, middleware: [perUser] }),
  ],
};
