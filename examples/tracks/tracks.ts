import type { Config } from "irori";
import { actuator } from "irori/actuator";
import { datasourceHealth } from "irori/migrations";
import { openApi, swaggerUi } from "irori/openapi";
import { jwt, type JwtOptions, security } from "irori/security";
import { ROLES } from "./src/roles.ts";
import * as z from "zod";

const JwtSettings = z.object({
  issuer: z.string(),
  audience: z.string(),
  /** Where the keys of the issuer are; in development there is a secret in its place. */
  jwksUri: z.url().optional(),
  secret: z.string().optional(),
});

/** How tokens are verified; with the secret of development and tests, they are issued by it, too. */
export function jwtSettings(config: Config): JwtOptions {
  return { ...config.bind("jwt", JwtSettings), knownRoles: ROLES };
}

const tokens = security({
  schemes: { token: jwt(jwtSettings) },
  // Routes without annotations; all others require an authenticated user.
  paths: {
    "/openapi.json": "permitAll",
    "/docs": "permitAll",
    "/docs/**": "permitAll",
    "/actuator/**": { roles: ["admin"] },
    "/reports/**": { roles: ["admin"] },
  },
});

/** The options of `bootstrap`, shared with the tests; the root is this folder. */
export const tracks = {
  root: import.meta.dirname,
  extensions: [
    tokens,
    actuator({ health: [datasourceHealth()] }),
    openApi(),
    swaggerUi(),
  ],
};
