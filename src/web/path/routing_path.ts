import { directTarget } from "../../runtime/web.ts";

/** Routing path of malformed percent-encoding: only a catch-all matches it. */
export const MALFORMED_PATH = "//%";

/**
 * Decodes each segment, but keeps `/` and `%` encoded, so that an encoded slash stays inside its segment and Hono's second
 * decoding of variables is exact. Dot segments are resolved as by `new URL()` (RFC 3986, 5.2.4).
 */
export function routingPath(request: Request): string {
  const target = directTarget(request);
  if (target !== undefined) {
    const end = target.indexOf("?");
    const path = end < 0 ? target : target.slice(0, end);
    return path.includes("%") ? decodePath(path) : path;
  }
  const url = request.url;
  const start = url.indexOf("/", url.indexOf(":") + 3);
  const query = url.indexOf("?", start);
  const hash = url.indexOf("#", start);
  const end = query < 0 ? hash : hash < 0 ? query : Math.min(query, hash);
  const path = end < 0 ? url.slice(start) : url.slice(start, end);
  if (!/%|\\|\/\./.test(path)) return path;
  return decodePath(DOT_SEGMENT.test(path) ? new URL(url).pathname : path);
}

/** Dot segments, plain or encoded, and backslashes, which Deno does not resolve. */
const DOT_SEGMENT = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

export function encodeSegment(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("/", "%2F");
}

function decodePath(path: string): string {
  try {
    return path.split("/").map((segment) => encodeSegment(decodeURIComponent(segment))).join("/");
  } catch {
    return MALFORMED_PATH;
  }
}
