import { compareText } from "../../text/mod.ts";
import { compareMediaTypes } from "../answer/media_type.ts";
import { compareSpecificity } from "../path/specificity.ts";
import type { ServedRoute } from "./served_route.ts";

/** By path, method, version (newest first, none last), then `consumes` and `produces`; 0 if equal. */
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
  for (const [index, type] of left.entries()) {
    const other = right[index];
    const order = other === undefined ? 0 : compareMediaTypes(type, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
