import { elementsOf } from "../text/mod.ts";
import { invalidateFastPath, NO_STORE, NOSNIFF, prepared, recipeOf } from "../runtime/web.ts";

export { NOSNIFF };

export function withHeader(response: Response, name: string, value: string): Response {
  return changed(response, (headers) => headers.set(name, value));
}

export function withAppendedHeader(response: Response, name: string, value: string): Response {
  return changed(response, (headers) => headers.append(name, value));
}

/** Adds a header name to `Vary` (RFC 9110, 12.5.5). */
export function varied(response: Response, header: string): Response {
  const names = elementsOf(response.headers.get("vary")?.toLowerCase());
  if (names.some((name) => name === "*" || name === header.toLowerCase())) return response;
  return withAppendedHeader(response, "Vary", header);
}

export function withNosniff(response: Response): Response {
  if (response.status === 101) return response;
  return withHeader(response, "X-Content-Type-Options", NOSNIFF["X-Content-Type-Options"]);
}

const CACHING = ["Cache-Control", "Expires", "Pragma"];

/** The response with {@linkcode NO_STORE}, unless it has caching headers or is a 304 or 101. */
export function withNoStore(response: Response): Response {
  const { status, headers } = response;
  if (status === 101 || status === 304 || CACHING.some((name) => headers.has(name))) {
    return response;
  }
  return withHeader(response, "Cache-Control", NO_STORE["Cache-Control"]);
}

function changed(response: Response, change: (headers: Headers) => void): Response {
  invalidateFastPath(response);
  try {
    change(response.headers);
    return response;
  } catch {
    // Those of `fetch` and `Response.redirect` cannot be changed.
    const copy = copied(response);
    change(copy.headers);
    return copy;
  }
}

/** Has header fields of its own; a text stays one. */
export function copied(response: Response): Response {
  const recipe = recipeOf(response);
  if (recipe === undefined) return new Response(response.body, response);
  const { body, status } = recipe;
  return prepared(
    new Response(body, { status, headers: new Headers(response.headers) }),
    body,
    status,
  );
}
