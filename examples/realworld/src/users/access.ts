import { jwt, security } from "irori/security";
import { tokenSettings } from "./tokens.ts";

/** Routes without an annotation require a token. Also read by `irori openapi` and `irori routes`. */
export const access = security({
  schemes: { token: jwt(tokenSettings) },
  paths: {
    "/openapi.json": "permitAll",
    "/docs": "permitAll",
    "/docs/**": "permitAll",
  },
});
