import type { Config } from "irori";
import { jwt, type JwtOptions, security } from "irori/security";

/** Without one in the configuration, tokens end with the process. */
const secretOfProcess = crypto.randomUUID() + crypto.randomUUID();

/** How tokens are issued and verified. */
export const tokensOf = (config: Config): JwtOptions => ({
  issuer: "{{name}}",
  audience: "{{name}}",
  secret: config.string("jwt.secret") || secretOfProcess,
  roles: "roles",
  knownRoles: ["admin"],
});

/** Closed by default: routes need a token, unless they have `@PermitAll()`. */
export const access = security({
  schemes: { token: jwt(tokensOf) },
  paths: { "/openapi.json": "permitAll", "/docs": "permitAll", "/docs/**": "permitAll" }, // {{?openapi}}
});
