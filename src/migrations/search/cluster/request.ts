import type { SearchRequest } from "../types.ts";

/** Method and path without query, which may be as long as a body. */
export function nameOf({ method, path }: SearchRequest): string {
  return `${method} ${path.split("?")[0]}`;
}

/** Whether it is many operations, a line each. */
export function isBulk({ path }: Pick<SearchRequest, "path">): boolean {
  return /\/_bulk(?:\?|$)/.test(path);
}

/** Whether the body is lines of JSON. */
export function hasLines({ path }: Pick<SearchRequest, "path">): boolean {
  return isBulk({ path }) || /\/_msearch(?:\/template)?(?:\?|$)/.test(path);
}

/** Whether a request is idempotent. A bulk creates documents again, whatever its method. */
export function isRepeatSafe(request: SearchRequest): boolean {
  return request.method !== "POST" && request.method !== "PATCH" && !isBulk(request);
}

/** Percent-encodes what URLs cannot hold; date-math names (`<logs-{now/d}>`) with their slashes. */
export function encodePath(path: string): string {
  return path.replace(/<[^<>]*>/g, encodeURIComponent)
    .replace(/[^\u0021-\u007e]+|["<>^`{|}]/gu, encodeURIComponent);
}

/** A part of a path without its percent-encoding; as it is where that is none. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
