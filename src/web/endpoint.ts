import type { Context, Hono } from "hono";
import type { FailureResponder, Responder } from "./chain.ts";
import { allow, methodNotAllowed, optionsResponse } from "./methods.ts";
import type { HttpMethod } from "./types.ts";

/** Something that is answered beside the routes of controllers: a document, a health check. */
export interface Endpoint {
  /** The method it answers; HEAD is answered by that of GET. */
  readonly method: HttpMethod;
  /** A path as Hono writes it: `/actuator/metrics/:name`. */
  readonly path: string;
  /** Makes the answer; what it throws is answered as what handlers throw. */
  readonly respond: Responder;
}

/** Registers endpoints, with 405 and OPTIONS for their paths (RFC 9110, 15.5.6 and 9.3.7). */
export function registerEndpoints(
  hono: Hono,
  endpoints: readonly Endpoint[],
  fail: FailureResponder,
): void {
  for (const [path, group] of Map.groupBy(endpoints, ({ path }) => path)) {
    for (const { method, respond } of group) {
      hono.on([method], path, (context) => respond(context));
    }
    const allowed = allow(group.map(({ method }) => method));
    hono.all(
      path,
      (context: Context) =>
        context.req.method === "OPTIONS"
          ? optionsResponse(allowed)
          : fail(context, methodNotAllowed(context.req, allowed)),
    );
  }
}
