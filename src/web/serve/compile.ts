import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { HonoRequest as MatchedRequest } from "hono/request";
import type { Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { openContext } from "../../http/mod.ts";
import { checkAnswer, type FailureResponder, type Responder, sealed } from "../answer/chain.ts";
import { announced } from "../answer/headers.ts";
import { limitBody, refuseBody } from "../bind/body_limit.ts";
import { groupsOf, honoPaths } from "../path/hono_paths.ts";
import { routingPath } from "../path/routing_path.ts";
import type { Pattern } from "../path/pattern.ts";
import { type Guard, guardOf } from "../path/variables.ts";
import { apiVersionsOf } from "../route/route_versions.ts";
import type { ServedRoute } from "../route/served_route.ts";
import { automaticResponder, versionRefusal } from "./automatic.ts";
import { type Candidate, dispatcher } from "./dispatch.ts";
import { type Endpoint, registerEndpoints } from "./endpoint.ts";
import { Hono } from "./hono.ts";
import { type RouteEnvironment, routeResponder } from "./route_responder.ts";
import { type Interceptor, type LaneMiddleware, onLane } from "./observer.ts";
import type { Route } from "../types.ts";

export interface CompileOptions
  extends Omit<RouteEnvironment, "hasMiddleware" | "isObserved" | "isOnLane" | "notFound"> {
  readonly middleware: readonly LaneMiddleware[];
  readonly endpoints?: readonly Endpoint[];
  readonly interceptors?: readonly Interceptor[];
}

/** Registers routes with Hono, whose routers match the paths; adds the choice among routes of one path, and the fallback. */
export function compile(routes: readonly ServedRoute[], options: CompileOptions): Hono {
  const { middleware, fail, maxBodyBytes, endpoints = [], interceptors = [], planner, serving } =
    options;
  const observed = (respond: Responder, route?: Route) => {
    const outer = interceptors.reduceRight(
      (inner, prepare) => prepare(inner, route, serving),
      respond,
    );
    const observers = interceptors.map(({ observe }) => observe?.(route));
    return planner?.withObservers(respond, outer, observers) ?? outer;
  };
  const environment = {
    ...options,
    notFound: (context: Context) => automatic(context),
    hasMiddleware: middleware.length > 0,
    isOnLane: middleware.every(({ isOnLane }) => isOnLane === true),
    isObserved: interceptors.some(({ isPassive }) => !isPassive),
  };
  const hono = new Hono({ getPath: routingPath, ...routerFor(routes) });
  if (middleware.length > 0) {
    // The route, which has its own limit, is not known yet.
    const largest = Math.max(maxBodyBytes, ...routes.map(({ maxBodySize = 0 }) => maxBodySize));
    hono.use(
      "*",
      ...[
        bodyLimit(largest),
        ...middleware.map((one) => guarded(one, fail)),
      ].map((one) => environment.isOnLane ? onLane(one) : one),
    );
  }
  registerEndpoints(hono, endpoints, options);
  const entries = entriesOf(routes, environment, observed);
  const refuse = (candidates: readonly Candidate[]) =>
    observed(versionRefusal(candidates.map(({ route }) => route), fail));
  for (const { method, path, candidates } of groupsOf(entries)) {
    const handler = dispatcher(candidates, refuse);
    hono.on([method], path, planner?.withPlans(handler, candidates) ?? handler);
  }
  const versions = apiVersionsOf(routes);
  const automatic = observed(automaticResponder(finderByPath(routes), fail, versions));
  hono.notFound(automatic);
  hono.onError((error, context) => fail(context, error));
  options.guard?.protectMounted(hono, options.log);
  return hono;
}

interface Entry extends Candidate {
  readonly path: string;
}

function entriesOf(
  routes: readonly ServedRoute[],
  environment: RouteEnvironment,
  observed: (respond: Responder, route?: Route) => Responder,
): readonly Entry[] {
  const paths = honoPaths(routes.map(({ pattern }) => pattern));
  return routes.map((route, index) => {
    const path = paths[index] ?? "";
    const fail = environment.failOf?.(route) ?? environment.fail;
    const respond = routeResponder(route, { ...environment, fail });
    return {
      route,
      path,
      guard: guardOf(route.pattern, path),
      respond: observed(announced(respond, route.deprecation), route),
    };
  });
}

/** Above this number Hono's tree is faster than its regular expression (docs/benchmarks.md, "Growth"). */
const MANY_ROUTES = 500;

function routerFor({ length }: readonly unknown[]): { router?: TrieRouter<never> } {
  return length > MANY_ROUTES ? { router: new TrieRouter() } : {};
}

/** What matches a path, in the given order, by a router that is made when it is used first. */
export function finderByPath<T extends { readonly pattern: Pattern }>(
  all: readonly T[],
): (path: string) => readonly T[] {
  let router: Router<readonly [T, Guard | undefined]> | undefined;
  return (path) => {
    if (all.length === 0) return [];
    router ??= routerOf(all);
    const result = router.match("ALL", path);
    const matched = new MatchedRequest({} as Request, path, result as never);
    return result[0].flatMap(([[one, guard]], index) => {
      matched.routeIndex = index;
      return guard === undefined || guard(matched as HonoRequest) ? [one] : [];
    });
  };
}

function routerOf<T extends { readonly pattern: Pattern }>(all: readonly T[]) {
  const router = new Hono(routerFor(all)).router as Router<unknown>;
  honoPaths(all.map(({ pattern }) => pattern)).forEach((path, index) => {
    router.add("ALL", path, [all[index], guardOf(all[index]!.pattern, path)]);
  });
  return router as Router<readonly [T, Guard | undefined]>;
}

/** Middleware and authentication run before the response that refuses the body. */
function bodyLimit(maxBytes: number): MiddlewareHandler {
  return async (context, next) => {
    openContext(context);
    try {
      limitBody(context, maxBytes);
    } catch (error) {
      refuseBody(context, error);
    }
    await next();
    sealed(context);
  };
}

/** Hono handles instances of `Error` only. */
function guarded(middleware: MiddlewareHandler, fail: FailureResponder): MiddlewareHandler {
  return async (context, next) => {
    try {
      const response = await middleware(context, next);
      if (!context.finalized) checkAnswer(middleware, response);
      return response;
    } catch (error) {
      if (error instanceof Error) throw error;
      const response = await fail(context, error);
      if (context.res !== response) context.res = response;
    }
  };
}
