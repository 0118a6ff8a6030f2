import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { unsupportedType } from "./body.ts";
import { chain, type FailureResponder, type Responder } from "./chain.ts";
import { consumesFits } from "./media_type.ts";
import { allow, methodNotAllowed, optionsResponse } from "./methods.ts";
import { commit } from "./prepared_headers.ts";
import { MALFORMED_PATH } from "./routing_path.ts";
import { RoutingError } from "./routing_error.ts";
import type { ServedRoute } from "./served_route.ts";

/** The routes whose path a request has, whatever its method, the most specific first. */
export type RoutesByPath = (request: HonoRequest) => readonly ServedRoute[];

/**
 * Answers requests that no handler takes: malformed path 400, no path 404, no method 405 (OPTIONS: 204),
 * `consumes` does not fit 415, `produces` does not fit 406. Middleware of the routes of the path runs first.
 */
export function automaticResponder(routesByPath: RoutesByPath, fail: FailureResponder): Responder {
  return (context) => {
    if (context.req.path === MALFORMED_PATH) {
      return fail(context, new RoutingError(400, "The path has malformed percent-encoding"));
    }
    const routes = routesByPath(context.req);
    const sameMethod = withMethod(routes, context.req.method);
    const respond: Responder = (context) => {
      if (sameMethod.length > 0) return fail(context, unfit(context, sameMethod));
      if (routes.length === 0) return fail(context, notFound(context));
      const allowed = allow(routes.map(({ method }) => method));
      if (context.req.method === "OPTIONS") return commit(context, optionsResponse(allowed));
      return fail(context, methodNotAllowed(context.req, allowed));
    };
    return chain(coveringMiddleware(context, routes, sameMethod), respond, fail)(context);
  };
}

function withMethod(routes: readonly ServedRoute[], method: string): readonly ServedRoute[] {
  const handled = method === "HEAD" ? "GET" : method;
  return routes.filter((route) => route.method === handled);
}

/** Each middleware once, although it covers several routes of the path. */
function coveringMiddleware(
  context: Context,
  routes: readonly ServedRoute[],
  sameMethod: readonly ServedRoute[],
): readonly MiddlewareHandler[] {
  const asked = context.req.method === "OPTIONS"
    ? context.req.raw.headers.get("access-control-request-method")
    : null;
  const preflighted = asked === null ? [] : withMethod(routes, asked).slice(0, 1);
  const covering = [sameMethod, preflighted, routes].find((found) => found.length > 0) ?? [];
  return [...new Set(covering.flatMap(({ middleware }) => middleware))];
}

/** Some route has the path and the method. */
function unfit(context: Context, routes: readonly ServedRoute[]): RoutingError {
  const contentType = context.req.raw.headers.get("content-type");
  const consuming = routes.filter(({ consumes }) => consumesFits(consumes, contentType));
  if (consuming.length === 0) {
    const { message, headers } = unsupportedType(
      contentType,
      list(routes.flatMap(({ consumes }) => consumes)),
    );
    return new RoutingError(415, message, { headers });
  }
  // One that answers with anything would have been taken, unless a handler itself said 'not found'.
  if (consuming.some(({ produces }) => produces.length === 0)) return notFound(context);
  const produced = list(consuming.flatMap(({ produces }) => produces));
  return new RoutingError(406, `Cannot answer with any type of 'Accept': expected ${produced}`);
}

function notFound(context: Context): RoutingError {
  return new RoutingError(404, `There is nothing at '${context.req.path}'`);
}

function list(types: readonly string[]): string {
  return [...new Set(types)].join(", ");
}
