import type { Context } from "hono";
import { withAppendedHeader } from "../../http/mod.ts";
import { changeResponse, mapResponse, type Responder } from "./chain.ts";

/** Adds a header name to `Vary` of every response (RFC 9110, 12.5.5). */
export function varying(respond: Responder, header: string): Responder {
  return mapResponse(respond, (response) => varied(response, header));
}

/** The response with a name in `Vary`. */
function varied(response: Response, header: string): Response {
  const names = response.headers.get("vary")?.toLowerCase().split(",").map((name) => name.trim());
  if (names?.some((name) => name === "*" || name === header.toLowerCase())) return response;
  return withAppendedHeader(response, "Vary", header);
}

/** Adds a name to `Vary` of the response of a context. */
export function varyAnswer(context: Context, header: string): void {
  changeResponse(context, context.res, (response) => varied(response, header));
}
