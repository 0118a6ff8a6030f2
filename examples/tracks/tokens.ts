import type { Config } from "irori";
import { SignJWT } from "jose";

/** A token such as an issuer would give, signed with the secret of development and tests. */
export async function tokenOf(
  config: Config,
  name: string,
  roles: readonly string[],
  expires = "12h",
): Promise<string> {
  return await new SignJWT({ roles })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(config.string("jwt.issuer", ""))
    .setAudience(config.string("jwt.audience", ""))
    .setSubject(name)
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(config.string("jwt.secret")));
}
