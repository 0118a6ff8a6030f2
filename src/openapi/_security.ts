import { isOpenWithUser, type ServedRoute } from "../web/mod.ts";
import type { DocumentOptions, OperationOptions } from "./types.ts";

/** The schemes of `security()`, and those of the options; without those of which nothing is known. */
export function securitySchemesOf(
  routes: readonly ServedRoute[],
  { securitySchemes }: DocumentOptions,
): DocumentOptions["securitySchemes"] {
  const schemes = routes.find((route) => route.securitySchemes)?.securitySchemes;
  const known = Object.entries({ ...schemes, ...securitySchemes })
    .filter(([, scheme]) => Object.keys(scheme).length > 0);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/**
 * Any of these suffices: a scheme with a role, as all that one requirement names are needed together (OpenAPI 3.1,
 * 4.8.30). None for who may be nobody; `undefined` where nothing is known of schemes.
 */
export function requirementsOf(route: ServedRoute): OperationOptions["security"] {
  const { access, securitySchemes } = route;
  if (access === undefined || securitySchemes === undefined) return undefined;
  const names = Object.keys(securitySchemes);
  if (access.allows !== "permitAll") {
    return (access.roles?.map((role) => [role]) ?? [[]]).flatMap((roles) =>
      names.map((name) => ({ [name]: roles }))
    );
  }
  return isOpenWithUser(route) ? [{}, ...names.map((name) => ({ [name]: [] }))] : [];
}

/** The statuses by which `security()` refuses. */
export function accessRefusals(route: ServedRoute): readonly number[] {
  const { access } = route;
  if (access === undefined) return [];
  if (access.allows === "permitAll") return isOpenWithUser(route) ? [401] : [];
  return access.roles || access.preAuthorize ? [401, 403] : [401];
}
