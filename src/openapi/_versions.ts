import {
  apiVersionsOf,
  type Route,
  type ServedRoute,
  servedRoute,
  versionsByHeader,
} from "../web/mod.ts";
import type { ParameterObject } from "./types.ts";

/**
 * The versions of the API that have a document each, the oldest first: those that a header of requests says. `[undefined]`
 * where one document has all routes.
 */
export function documentVersions(routes: readonly Route[]): readonly (string | undefined)[] {
  const versions = apiVersionsOf(routes.map(servedRoute));
  return versions?.header === undefined ? [undefined] : versions.supported;
}

/** The version that is described; none where one document has all routes. @throws {RangeError} when there is none such */
export function describedVersion(
  routes: readonly ServedRoute[],
  asked: string | undefined,
): string | undefined {
  const versions = apiVersionsOf(routes);
  const { supported = [] } = versions ?? {};
  if (asked !== undefined && !supported.includes(asked)) {
    const expected = supported.length === 0
      ? "there are none"
      : `expected one of ${supported.map((version) => `'${version}'`).join(", ")}`;
    throw new RangeError(`Cannot describe the version '${asked}' of the API: ${expected}`);
  }
  if (versions?.header === undefined) return undefined;
  return asked ?? versions.default ?? supported.at(-1);
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
