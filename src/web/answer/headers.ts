import type { Context } from "hono";
import { varied, withAppendedHeader, withHeader, withNoStore } from "../../http/mod.ts";
import { changeResponse, commit, mapResponse, type Responder } from "./chain.ts";
import type { Deprecation } from "./deprecation.ts";

export function announced(respond: Responder, deprecation: Deprecation | undefined): Responder {
  if (deprecation === undefined) return respond;
  return mapResponse(respond, (response) =>
    deprecation.reduce((response, [name, value]) => {
      if (name === "Link") return withAppendedHeader(response, name, value);
      return response.headers.has(name) ? response : withHeader(response, name, value);
    }, response));
}

/** Adds a header name to `Vary` of every response (RFC 9110, 12.5.5). */
export function varying(respond: Responder, header: string): Responder {
  return mapResponse(respond, (response) => varied(response, header));
}

export function varyAnswer(context: Context, header: string): void {
  changeResponse(context, context.res, (response) => varied(response, header));
}

/** Commits first, as prepared headers may control caching, too. */
export function committedWithNoStore(context: Context, response: Response): Response {
  return changeResponse(context, commit(context, response), withNoStore);
}
