import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import type { Config } from "irori";
import { issueToken, type JwtOptions } from "irori/security";
import type { User } from "./user.ts";

/** How access tokens are issued and verified. */
export const tokenSettings = (config: Config): JwtOptions => ({
  issuer: "https://parcels.example",
  audience: "parcels",
  secret: config.required("jwt.secret"),
  knownRoles: ["courier", "dispatcher"],
  from: ["header", "cookie"],
});

/** Pages of the application send the token in a cookie, other clients in a header. */
export async function issueAccessToken(
  settings: JwtOptions,
  { name, role }: User,
  context: Context,
) {
  const maxAge = 900;
  const token = await issueToken(settings, { sub: name, roles: [role] }, { expiresIn: maxAge });
  setCookie(context, "token", token, { prefix: "host", httpOnly: true, sameSite: "Lax", maxAge });
  return token;
}
