/**
 * Authentication by schemes, and authorization by annotations of controllers and handlers.
 *
 * @example A public route, one for authenticated users, one for a role
 * ```ts
 * import { bootstrap, GetMapping, RestController } from "@irori/irori";
 * import { basic, CurrentUser, PermitAll, type Principal, RolesAllowed, security } from "@irori/irori/security";
 *
 * @RestController()
 * class TeamController {
 *   @GetMapping("/about")
 *   @PermitAll()
 *   about() {
 *     return "everybody";
 *   }
 *
 *   @GetMapping("/me", CurrentUser())
 *   me({ name }: Principal) {
 *     return name;
 *   }
 *
 *   @GetMapping("/team")
 *   @RolesAllowed("admin")
 *   team() {
 *     return "admins";
 *   }
 * }
 *
 * const users = [{ name: "ada", password: "secret", roles: ["admin"] }];
 * const app = await bootstrap({
 *   components: [TeamController],
 *   extensions: [security({ schemes: { password: basic({ users }) } })],
 * });
 * const headers = { Authorization: `Basic ${btoa("ada:secret")}` };
 * console.log((await app.request("/me")).status); // 401
 * console.log(await (await app.request("/me", { headers })).text()); // ada
 * ```
 *
 * @module
 */
export { apiKey } from "./api_key.ts";
export { basic } from "./basic.ts";
export { CurrentUser, currentUser } from "./current_user.ts";
export { Authenticated, PermitAll, PreAuthorize, RolesAllowed } from "./decorators.ts";
export { AuthenticationUnavailableError, BadCredentialsError } from "./errors.ts";
export { issueToken } from "./issue_token.ts";
export { jwt } from "./jwt.ts";
export { requireSameOrigin } from "./same_origin.ts";
export { security } from "./security.ts";
export type {
  ApiKeyOptions,
  AuthenticationScheme,
  BasicOptions,
  Claims,
  JwtOptions,
  JwtPrincipal,
  PathRule,
  Principal,
  SchemeClass,
  SchemeFactory,
  SecurityOptions,
  TokenPlace,
} from "./types.ts";
export type { Extension } from "../../app/mod.ts";
export type { Config } from "../../config/mod.ts";
export type { HttpRequest } from "../../http/mod.ts";
