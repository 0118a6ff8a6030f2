import type { SearchRequest } from "../types.ts";

/** Method and path without the query, which may be as long as a body. */
export function nameOf({ method, path }: SearchRequest): string {
  return `${method} ${path.split("?")[0]}`;
}

export function isBulk({ path }: Pick<SearchRequest, "path">): boolean {
  return /\/_bulk(?:\?|$)/.test(path);
}

export function hasLines({ path }: Pick<SearchRequest, "path">): boolean {
  return isBulk({ path }) || /\/_msearch(?:\/template)?(?:\?|$)/.test(path);
}

export function isRepeatSafe(request: SearchRequest): boolean {
  return request.method !== "POST" && request.method !== "PATCH" && !isBulk(request);
}

/** Percent-encodes invalid characters of URLs, and date-math names (`<logs-{now/d}>`) with their slashes. */
export function encodePath(path: string): string {
  return path.replace(/<[^<>]*>/g, encodeURIComponent)
    .replace(/[^\u0021-\u007e]+|["<>^`{|}]/gu, encodeURIComponent);
}

/** Decodes a part of a path; an invalid encoding is kept. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
