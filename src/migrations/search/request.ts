import type { SearchRequest } from "./types.ts";

/** Method and path without query, which may be as long as a body. */
export function nameOf({ method, path }: SearchRequest): string {
  return `${method} ${path.split("?")[0]}`;
}

/** Whether a cluster that got it twice is as if it got it once. A bulk makes documents anew, whatever its method. */
export function isRepeatSafe({ method, path }: SearchRequest): boolean {
  return method !== "POST" && method !== "PATCH" && !/\/_bulk(?:\?|$)/.test(path);
}
