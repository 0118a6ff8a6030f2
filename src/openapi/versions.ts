import {
  apiVersionsOf,
  type Route,
  type ServedRoute,
  servedRoute,
  versionsByHeader,
} from "../web/mod.ts";
import { ApiVersionError } from "./errors.ts";
import type { ParameterObject } from "./types.ts";

/**
 * The versions of the API that have a document each, the oldest first: those that a header of requests says. `[undefined]`
 * where one document has all routes.
 *
 * @param asked the one that is wanted alone
 * @throws {ApiVersionError} when there is none such
 */
export function documentVersions(
  routes: readonly Route[],
  asked?: string,
): readonly (string | undefined)[] {
  const versions = apiVersionsOf(routes.map(servedRoute));
  const supported = versions?.header === undefined ? [] : versions.supported;
  if (asked === undefined) return supported.length === 0 ? [undefined] : supported;
  if (supported.includes(asked)) return [asked];
  throw new ApiVersionError(asked, supported);
}

/** The version that is described; none where one document has all routes. @throws {ApiVersionError} when there is none such */
export function describedVersion(
  routes: readonly ServedRoute[],
  asked: string | undefined,
): string | undefined {
  const newest = documentVersions(routes, asked).at(-1);
  return asked ?? (newest && apiVersionsOf(routes)?.default) ?? newest;
}

/** The header that says the version, of a route that others have the path and method of in another version. */
export function versionParameter(
  route: ServedRoute,
  routes: readonly ServedRoute[],
  version: string,
): readonly ParameterObject[] {
  const { versions } = route;
  if (!versions?.headerName || versionsByHeader(route, routes) === undefined) return [];
  // Who says none has the default, or what serves all of them.
  const none = versions.default ?? (route.version === undefined ? version : undefined);
  return [{
    name: versions.headerName,
    in: "header",
    required: none !== version,
    schema: { type: "string", enum: [version] },
  }];
}

/** The header fields with which a client reaches a route in the newest version that it has; none where no header decides. */
export function versionHeaders(
  route: ServedRoute,
  routes: readonly ServedRoute[],
): Readonly<Record<string, string>> | undefined {
  const version = versionsByHeader(route, routes)?.at(-1);
  const name = route.versions?.headerName;
  return version === undefined || name === undefined ? undefined : { [name]: version };
}
