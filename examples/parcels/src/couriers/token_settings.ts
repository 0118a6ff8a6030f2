import type { Config } from "irori";
import type { JwtOptions } from "irori/security";

/** How access tokens are issued and verified. Pages of the application send them in a cookie. */
export const tokenSettings = (config: Config): JwtOptions => ({
  issuer: "https://parcels.example",
  audience: "parcels",
  secret: config.required("jwt.secret"),
  knownRoles: ["courier", "dispatcher"],
  from: ["header", "cookie"],
});
