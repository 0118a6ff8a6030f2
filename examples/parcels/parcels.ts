import { requestContext, requestIdHeader } from "irori/context";
import { jwt, security } from "irori/security";
import { tokenSettings } from "./src/couriers/token_settings.ts";
import { rateLimit } from "./src/rate_limit.ts";

/** The options of `bootstrap`, for the application and its tests. */
export const parcels = {
  root: import.meta.dirname,
  extensions: [
    requestIdHeader(),
    requestContext(),
    security({ schemes: { token: jwt(tokenSettings) }, middleware: [rateLimit(100)] }),
  ],
};
