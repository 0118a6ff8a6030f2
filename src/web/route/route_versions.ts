import type { ApiVersions } from "./api_versions.ts";
import { isVersionedByHeader, type ServedRoute } from "./served_route.ts";
import { compareSpecificity } from "../path/specificity.ts";

export function apiVersionsOf(routes: readonly ServedRoute[]): ApiVersions | undefined {
  return routes.find(({ versions }) => versions !== undefined)?.versions;
}

export function decidingVersions(routes: readonly ServedRoute[]): ApiVersions | undefined {
  return routes.find(isVersionedByHeader)?.versions;
}

/** The versions of a route: its own, or those that others leave; `undefined` without a header for it. */
export function versionsByHeader(
  route: ServedRoute,
  routes: readonly ServedRoute[],
): readonly string[] | undefined {
  const { versions } = route;
  if (versions?.header === undefined) return undefined;
  if (route.version !== undefined) return [route.version];
  const others = routes.filter((other) =>
    other.version !== undefined && other.method === route.method &&
    compareSpecificity(other.pattern, route.pattern) === 0
  );
  if (others.length === 0) return undefined;
  const taken = new Set(others.map(({ version }) => version));
  return versions.supported.filter((version) => !taken.has(version));
}

export function routesOfVersion(
  routes: readonly ServedRoute[],
  version: string,
): readonly ServedRoute[] {
  return routes.filter((route) =>
    route.version === version ||
    route.version === undefined && (versionsByHeader(route, routes)?.includes(version) ?? true)
  );
}
