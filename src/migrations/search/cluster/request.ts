import { decodeLeniently, escaped } from "../../../text/mod.ts";
import type { SearchRequest } from "../types.ts";

/** The path of a plugin. OpenSearch also accepts that of Open Distro (2.19 and 3.4). */
export function pluginPath(rest: string): RegExp {
  return new RegExp(`^/_(?:plugins|opendistro)/${rest}$`);
}

/** Method and path without the query, which may be as long as a body. */
export function requestName({ method, path }: SearchRequest): string {
  return `${method} ${path.split("?")[0]}`;
}

export function pathOf({ path }: Pick<SearchRequest, "path">): string {
  return (path.split("?")[0] ?? "").replace(/\/+$/, "");
}

/** Whether a name matches a pattern, in which `*` stands for any text and `?` for one character. */
export function matcherOf(pattern: string): RegExp {
  const source = escaped(pattern).replaceAll("\\*", "[^]*").replaceAll("\\?", "[^]");
  return new RegExp(`^${source}$`, "u");
}

function isBulk({ path }: Pick<SearchRequest, "path">): boolean {
  return /\/_bulk(?:\?|$)/.test(path);
}

export function hasLines({ path }: Pick<SearchRequest, "path">): boolean {
  return isBulk({ path }) || /\/_msearch(?:\/template)?(?:\?|$)/.test(path);
}

export function isRepeatSafe(request: SearchRequest): boolean {
  return request.method !== "POST" && request.method !== "PATCH" && !isBulk(request);
}

/** Whether it deletes resources, documents or aliases: by its method, or by what its body says. */
export function isDeletion(request: SearchRequest): boolean {
  const { method, body = "" } = request;
  return method === "DELETE" || /\/_delete_by_query$/.test(pathOf(request)) ||
    (isBulk(request) && /^\s*\{\s*"delete"\s*:\s*\{/m.test(body)) ||
    (method === "POST" && pathOf(request) === "/_aliases" && /"remove_index"\s*:/.test(body)) ||
    (method === "PATCH" && /"op"\s*:\s*"remove"/.test(body));
}

/** Percent-encodes invalid characters of URLs, and date-math names (`<logs-{now/d}>`) with their slashes. */
export function encodePath(path: string): string {
  return path.replace(/<[^<>]*>/g, (name) => encodeURIComponent(decodeLeniently(name)))
    .replace(/[^\u0021-\u007e]+|["<>^`{|}]/gu, encodeURIComponent);
}
