import type { Context, Hono } from "hono";
import type { FailureResponder, Responder } from "./chain.ts";
import { RoutingError } from "./routing_error.ts";
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
    const methods = new Set(
      group.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : method),
    );
    const allow = [...methods, "OPTIONS"].join(", ");
    hono.all(path, (context: Context) => {
      const { method } = context.req;
      if (method === "OPTIONS") {
        return new Response(null, { status: 204, headers: { Allow: allow } });
      }
      const message = `Cannot ${method} '${context.req.path}': expected one of ${allow}`;
      return fail(context, new RoutingError(405, message, { headers: { Allow: allow } }));
    });
  }
}
