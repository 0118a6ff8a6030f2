import type { HonoRequest } from "hono";
import { brand, HttpError, NOSNIFF } from "../../http/mod.ts";

export const METHODS: readonly string[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
];

export function allow(answered: Iterable<string>): string {
  const methods = new Set([...answered, "OPTIONS"]);
  if (methods.has("GET")) methods.add("HEAD");
  return METHODS.filter((method) => methods.has(method)).join(", ");
}

export function optionsResponse(allowed: string): Response {
  return new Response(null, { status: 204, headers: { Allow: allowed, ...NOSNIFF } });
}

/** The refusal of a method (RFC 9110, 15.5.6). */
export function methodNotAllowed({ method, path }: HonoRequest, allowed: string): RoutingError {
  return new RoutingError(405, `Cannot ${method} '${path}': expected one of ${allowed}`, {
    headers: { Allow: allowed },
  });
}

/** A request that matched no handler: error controllers receive no error for it. */
export class RoutingError extends HttpError {
  static {
    brand(this, "RoutingError");
  }
}
