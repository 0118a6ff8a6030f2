import { compareMediaTypes } from "../answer/media_type.ts";
import { compareSpecificity } from "../path/specificity.ts";
import type { ServedRoute } from "./served_route.ts";

/**
 * Orders routes by path, method, version (newest first, unversioned last), then by how specific `consumes` and `produces`
 * are. Zero if no request distinguishes them.
 */
export function compareRoutes(a: ServedRoute, b: ServedRoute): number {
  return compareSpecificity(a.pattern, b.pattern) ||
    compareText(a.method, b.method) ||
    compareVersions(a, b) ||
    compareMedia(a, b);
}

export function compareConditions(a: ServedRoute, b: ServedRoute): number {
  return compareSpecificity(a.pattern, b.pattern) ||
    compareText(a.method, b.method) ||
    compareMedia(a, b);
}

function compareMedia(a: ServedRoute, b: ServedRoute): number {
  return compareTypes(a.consumes, b.consumes) || compareTypes(a.produces, b.produces);
}

function compareVersions(a: ServedRoute, b: ServedRoute): number {
  if (a.version === b.version) return 0;
  const rank = ({ version, versions }: ServedRoute) =>
    version === undefined ? -1 : versions?.supported.indexOf(version) ?? -1;
  return rank(b) - rank(a);
}

function compareTypes(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  const left = [...a].sort(compareMediaTypes);
  const right = [...b].sort(compareMediaTypes);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [x, y] = [left[index], right[index]];
    if (x === undefined || y === undefined) return left.length - right.length;
    const order = compareMediaTypes(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
