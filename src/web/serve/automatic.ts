import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import {
  announced,
  begun,
  chain,
  commit,
  type FailureResponder,
  type Responder,
  varying,
} from "../answer/chain.ts";
import { agreedDeprecation } from "../answer/deprecation.ts";
import { consumesFits } from "../answer/media_type.ts";
import { BindingError } from "../bind/binding_error.ts";
import { unsupportedType } from "../bind/body.ts";
import type { ApiVersions } from "../route/api_versions.ts";
import { allow, methodNotAllowed, optionsResponse, RoutingError } from "../path/methods.ts";
import { MALFORMED_PATH } from "../path/routing_path.ts";
import { decidingVersions, routesOfVersion } from "../route/route_versions.ts";
import type { ServedRoute } from "../route/served_route.ts";

type RoutesByPath = (path: string) => readonly ServedRoute[];

/**
 * Answers requests that match no handler: malformed path 400, unknown path 404, unknown version 400, other method 405
 * (OPTIONS: 204), `consumes` 415, `produces` 406. The middleware of the routes of the path runs first.
 */
export function automaticResponder(
  routesByPath: RoutesByPath,
  fail: FailureResponder,
  versions?: ApiVersions,
): Responder {
  return (context) => {
    if (context.req.path === MALFORMED_PATH) {
      return fail(context, new RoutingError(400, "The path has malformed percent-encoding"));
    }
    const found = routesByPath(context.req.path);
    const byHeader = decidingVersions(found);
    const refused = found.length === 0
      ? ofPath(versions, routesByPath, context.req.path)
      : undefined;
    const left = byHeader ? ofVersion(byHeader, found, context.req) : refused?.error ?? found;
    const routes = left instanceof BindingError ? refused?.routes ?? found : left;
    const sameMethod = withMethod(routes, context.req.method);
    const respond: Responder = (context) => {
      if (left instanceof BindingError) return fail(context, left);
      if (sameMethod.length > 0) return fail(context, unfit(context, sameMethod));
      if (found.length === 0) return fail(context, notFound(context));
      if (routes.length === 0) return fail(context, notFound(context, " in this version"));
      const allowed = allow(routes.map(({ method }) => method));
      if (context.req.method === "OPTIONS") return commit(context, optionsResponse(allowed));
      return fail(context, methodNotAllowed(context.req, allowed));
    };
    // A path of an unknown version has no route: those of other versions only run their middleware.
    const concerned = refused ? [] : sameMethod.length > 0 ? sameMethod : routes;
    const answer = announced(
      chain(coveringMiddleware(context, routes, sameMethod), respond, fail),
      agreedDeprecation(concerned),
    );
    return (byHeader?.header ? varying(answer, byHeader.header) : answer)(context);
  };
}

function ofPath(
  versions: ApiVersions | undefined,
  routesByPath: RoutesByPath,
  path: string,
): { readonly error: BindingError; readonly routes: readonly ServedRoute[] } | undefined {
  let routes: readonly ServedRoute[] = [];
  const error = versions?.pathError(path, (path) => {
    routes = routesByPath(path);
    return routes.length > 0;
  });
  return error && { error, routes };
}

function ofVersion(
  versions: ApiVersions,
  routes: readonly ServedRoute[],
  { method, raw }: HonoRequest,
): readonly ServedRoute[] | BindingError {
  // A preflight does not have the headers that it announces.
  if (method === "OPTIONS" && !versions.isSaid(raw)) return routes;
  const others = withMethod(routes.filter((route) => route.version === undefined), method);
  const version = versions.meant(raw, others.length > 0);
  if (version === undefined) return others;
  if (typeof version === "string") return routesOfVersion(routes, version);
  return versions.isSaid(raw) ? version : routes;
}

export function versionRefusal(routes: readonly ServedRoute[], fail: FailureResponder): Responder {
  const versions = decidingVersions(routes);
  const middleware = [...new Set(routes.flatMap(({ middleware }) => middleware))];
  const refuse: Responder = (context) => fail(context, versions?.requested(context.req.raw));
  return announced(chain(middleware, refuse, fail), agreedDeprecation(routes));
}

function withMethod(routes: readonly ServedRoute[], method: string): readonly ServedRoute[] {
  const handled = method === "HEAD" ? "GET" : method;
  return routes.filter((route) => route.method === handled);
}

function coveringMiddleware(
  context: Context,
  routes: readonly ServedRoute[],
  sameMethod: readonly ServedRoute[],
): readonly MiddlewareHandler[] {
  if (begun.has(context)) return [];
  const asked = context.req.method === "OPTIONS"
    ? context.req.raw.headers.get("access-control-request-method")
    : null;
  const preflighted = asked === null ? [] : withMethod(routes, asked).slice(0, 1);
  const covering = [sameMethod, preflighted, routes].find((found) => found.length > 0) ?? [];
  return [...new Set(covering.flatMap(({ middleware }) => middleware))];
}

function unfit(context: Context, routes: readonly ServedRoute[]): RoutingError {
  const contentType = context.req.raw.headers.get("content-type");
  const consuming = routes.filter(({ consumes }) => consumesFits(consumes, contentType));
  if (consuming.length === 0) {
    const consumed = list(routes.flatMap(({ consumes }) => consumes));
    const { message, headers } = unsupportedType(contentType, consumed);
    return new RoutingError(415, message, { headers });
  }
  // A route without `produces` matches, unless its handler answered 404 itself.
  if (consuming.some(({ produces }) => produces.length === 0)) return notFound(context);
  const produced = list(consuming.flatMap(({ produces }) => produces));
  return new RoutingError(406, `Cannot produce any type in 'Accept': expected ${produced}`);
}

function notFound(context: Context, where = ""): RoutingError {
  return new RoutingError(404, `No resource at '${context.req.path}'${where}`);
}

function list(types: readonly string[]): string {
  return [...new Set(types)].join(", ");
}
