import { quoted } from "../../text/mod.ts";
import {
  apiVersionsOf,
  type Route,
  type ServedRoute,
  servedRoute,
  versionsByHeader,
} from "../../web/mod.ts";
import type { ParameterObject } from "./types.ts";

/**
 * The versions of the API with a document each, the oldest first, where a request header selects the version.
 * `[undefined]` where one document has all routes.
 *
 * @param asked the only version that is wanted
 * @throws {ApiVersionError} when it does not exist
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

export function describedVersion(
  routes: readonly ServedRoute[],
  asked: string | undefined,
): string | undefined {
  const newest = documentVersions(routes, asked).at(-1);
  return asked ?? (newest && apiVersionsOf(routes)?.default) ?? newest;
}

export function versionParameter(
  route: ServedRoute,
  routes: readonly ServedRoute[],
  version: string,
): readonly ParameterObject[] {
  const { versions } = route;
  if (!versions?.headerName || versionsByHeader(route, routes) === undefined) return [];
  // Without the header, the default version applies, or a route for all versions.
  const none = versions.default ?? (route.version === undefined ? version : undefined);
  return [{
    name: versions.headerName,
    in: "header",
    required: none !== version,
    schema: { type: "string", enum: [version] },
  }];
}

export function versionHeaders(
  route: ServedRoute,
  routes: readonly ServedRoute[],
): Readonly<Record<string, string>> | undefined {
  const version = versionsByHeader(route, routes)?.at(-1);
  const name = route.versions?.headerName;
  return version === undefined || name === undefined ? undefined : { [name]: version };
}

/** Thrown for a version of the API that does not exist. */
export class ApiVersionError extends RangeError {
  override readonly name = "ApiVersionError";

  /** @param supported the versions that exist */
  constructor(
    readonly apiVersion: string,
    supported: readonly string[],
  ) {
    const expected = supported.length === 0
      ? "one document has all routes"
      : `expected one of ${quoted(supported)}`;
    super(`Cannot describe the version '${apiVersion}' of the API: ${expected}`);
  }
}
