import type { Context } from "hono";
import { withAppendedHeader } from "../http/mod.ts";
import { answering, changed } from "./answering.ts";
import type { Responder } from "./chain.ts";

/** Lets all answers say that a header decides (RFC 9110, 12.5.5). */
export function varying(respond: Responder, header: string): Responder {
  return answering(respond, (response) => varied(response, header));
}

/** The response with a name in `Vary`. */
function varied(response: Response, header: string): Response {
  const names = response.headers.get("vary")?.toLowerCase().split(",").map((name) => name.trim());
  if (names?.some((name) => name === "*" || name === header.toLowerCase())) return response;
  return withAppendedHeader(response, "Vary", header);
}

/** Adds a name to `Vary` of the answer that a context has. */
export function varyAnswer(context: Context, header: string): void {
  changed(context, context.res, (response) => varied(response, header));
}
